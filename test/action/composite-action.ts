import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { packageRoot } from '../../src/plan/package-root.ts';

const Step = z.strictObject({
  id: z.string().optional(),
  if: z.string().optional(),
  uses: z.string().optional(),
  shell: z.literal('bash').optional(),
  env: z.record(z.string(), z.string()).default({}),
  run: z.string().optional(),
  with: z.record(z.string(), z.string()).optional(),
});
const Input = z.strictObject({ description: z.string(), default: z.string() });
const Output = z.strictObject({ description: z.string(), value: z.string() });

/** The metadata file of this action, held to the part of GitHub's syntax that it uses. */
export const ACTION = z
  .strictObject({
    name: z.string(),
    description: z.string(),
    inputs: z.record(z.string(), Input),
    outputs: z.record(z.string(), Output),
    runs: z.strictObject({ using: z.literal('composite'), steps: z.array(Step) }),
  })
  .parse(parse(readFileSync(path.join(packageRoot(), 'action.yml'), 'utf8')));

export interface Ran {
  code: number;
  log: string;
  outputs: Record<string, string>;
  summary: string;
}

/** A runner on which the steps of ours run for real, and the repository that it works in. */
export class FakeRunner {
  readonly workspace: string;
  readonly temp: string;
  readonly #outputs: Record<string, Record<string, string>> = {};
  readonly #actionPath: string;

  constructor(folder: string) {
    this.workspace = path.join(folder, 'repository');
    this.temp = path.join(folder, 'temp');
    this.#actionPath = path.join(folder, 'action-of-touchstone');
    for (const place of [this.workspace, this.temp, this.#actionPath]) mkdirSync(place, { recursive: true });
    cpSync(path.join(packageRoot(), 'action'), path.join(this.#actionPath, 'action'), { recursive: true });
  }

  install(
    program = `import '${import.meta.resolve('tsx')}';\nawait import('${path.join(packageRoot(), 'src/cli/main.ts')}');\n`,
  ): void {
    const place = path.join(this.workspace, 'node_modules/touchstone/dist/cli');
    mkdirSync(place, { recursive: true });
    writeFileSync(path.join(place, 'main.js'), program);
    writeFileSync(path.join(this.workspace, 'node_modules/touchstone/package.json'), '{"type":"module"}');
  }

  /** Runs the step of this id with these inputs, the others as by default. */
  step(id: string, inputs: Record<string, string> = {}, variables: Record<string, string> = {}): Ran {
    const step = ACTION.runs.steps.find((each) => each.id === id);
    if (step?.run === undefined) throw new Error(`no step ${id} runs anything`);
    const [output, summary] = ['output', 'summary'].map((name) => path.join(this.temp, `${name}-of-${id}`));
    if (output === undefined || summary === undefined) throw new Error('two files');
    for (const file of [output, summary]) writeFileSync(file, '');
    const { status, stdout, stderr } = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run], {
      cwd: this.workspace,
      encoding: 'utf8',
      maxBuffer: 2 ** 24,
      env: {
        ...process.env,
        GITHUB_WORKSPACE: this.workspace,
        GITHUB_ACTION_PATH: this.#actionPath,
        GITHUB_OUTPUT: output,
        GITHUB_STEP_SUMMARY: summary,
        GITHUB_REF_NAME: 'main',
        GITHUB_SHA: 'b'.repeat(40),
        GITHUB_BASE_REF: '',
        RUNNER_TEMP: this.temp,
        RUNNER_OS: 'Linux',
        ...Object.fromEntries(Object.entries(step.env).map(([name, text]) => [name, this.#filled(text, inputs)])),
        ...variables,
      },
    });
    const lines = readFileSync(output, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
    this.#outputs[id] = Object.fromEntries(lines.map((line) => [line.replace(/=.*/, ''), line.replace(/^[^=]*=/, '')]));
    return {
      code: status ?? -1,
      log: `${stdout}${stderr}`,
      outputs: this.#outputs[id],
      summary: readFileSync(summary, 'utf8'),
    };
  }

  #filled(text: string, inputs: Record<string, string>): string {
    return text.replaceAll(/\$\{\{ ([\w.-]+) \}\}/g, (whole, expression: string) => {
      const [context, name = ''] = expression.split('.');
      if (context === 'inputs') {
        const input = ACTION.inputs[name];
        if (input === undefined) throw new Error(`there is no input ${name}`);
        return inputs[name] ?? input.default;
      }
      if (expression === 'github.event.pull_request.base.sha') return 'a'.repeat(40);
      throw new Error(`unknown expression ${whole}`);
    });
  }
}

/** The lines of a log that a runner takes for commands: it finds "##[" anywhere, and stops at a word until that word. */
export function commandsIn(log: string): string[] {
  const found: string[] = [];
  let word: string | null = null;
  for (const line of log.split(/\r\n|\n|\r/)) {
    if (word !== null) {
      if (line.trim() === `::${word}::`) word = null;
    } else if (line.trimStart().startsWith('::stop-commands::')) word = line.trim().slice('::stop-commands::'.length);
    else if (line.trimStart().startsWith('::') || line.includes('##[')) found.push(line);
  }
  return found;
}
