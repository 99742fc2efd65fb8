import type { z } from 'zod';
import { defineCommand, type CommandSpec } from '../command.ts';
import { Options } from '../options.ts';
import { fact } from '../../messages/messages.ts';
import { EXIT, UsageError } from '../exit-code.ts';

const DoctorOptions = Options.pick({ install: true, browser: true, quiet: true, json: true });
export type DoctorOptions = z.output<typeof DoctorOptions>;

const doctor = defineCommand({
  name: 'doctor',
  args: '[suites...]',
  summary: 'Show what is installed here, and what is missing',
  about:
    'Show what is installed on this machine and what is missing. With suites, also check what they need: programs, free ports, applications, archives, and the agents in their touchstone.yaml. Exits with 3 if anything required is missing. With --install, install a browser if there is none; with --browser shell, the headless shell.',
  options: DoctorOptions,
  examples: ['touchstone doctor', 'touchstone doctor realapps', 'touchstone doctor .'],
  run: async (request, terminal) => (await import('../actions/doctor.ts')).doctor(request, terminal),
});

const AppsOptions = Options.pick({ json: true });
export type AppsOptions = z.output<typeof AppsOptions>;

const apps = defineCommand({
  name: 'apps',
  args: '<action> [names...]',
  summary: 'Install or list the real applications of suites',
  about:
    'install: install the pinned versions of all real applications, or of those named, in the cache; list: list all applications, and whether each is installed.',
  words: ['install', 'list'],
  options: AppsOptions,
  examples: ['touchstone apps list', 'touchstone apps install', 'touchstone apps install tiddlywiki'],
  run: async (request, terminal) => (await import('../actions/apps.ts')).apps(request, terminal),
});

const SHELLS = ['bash', 'zsh', 'fish'];

const completion = defineCommand({
  name: 'completion',
  args: '<shell>',
  summary: 'Print a completion script for your shell',
  about:
    'Print a script with which bash, zsh or fish completes commands, options and built-in names after "touchstone" and "npx touchstone". Source it in ~/.bashrc, or in ~/.zshrc after compinit, or put it in a folder of fpath. Fish reads it from conf.d.',
  options: Options.pick({}),
  words: SHELLS,
  examples: [
    'touchstone completion bash > ~/.touchstone.bash',
    'touchstone completion zsh > ~/.zfunc/_touchstone',
    'touchstone completion fish > ~/.config/fish/conf.d/touchstone.fish',
  ],
  async run({ args: [shell = ''] }, terminal) {
    if (!SHELLS.includes(shell)) throw new UsageError(fact('no_completion', { shell, shells: SHELLS }));
    const script = await (await import('../actions/completion.ts')).completionFor(shell);
    for (const line of script.split('\n')) terminal.out(line);
    return EXIT.done;
  },
});

export const PROGRAM_COMMANDS: readonly CommandSpec[] = [doctor, apps, completion];
