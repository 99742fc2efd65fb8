import path from 'node:path';
import ts from 'typescript';
import { packageRoot } from '../../src/plan/package-root.ts';

/** Type-checks sources (by file name) as if they lay in the root of the project, in one program; gives every complaint. */
export function typeProblems(sources: Readonly<Record<string, string>>): string[] {
  const root = packageRoot();
  const config = ts.readConfigFile(path.join(root, 'tsconfig.json'), (file) => ts.sys.readFile(file));
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, root);
  const virtual = new Map(Object.entries(sources).map(([name, text]) => [path.join(root, name), text]));
  const host = ts.createCompilerHost(options);
  const withSources: ts.CompilerHost = {
    ...host,
    fileExists: (file) => virtual.has(file) || host.fileExists(file),
    getSourceFile: (file, language, ...rest) => {
      const text = virtual.get(file);
      return text === undefined
        ? host.getSourceFile(file, language, ...rest)
        : ts.createSourceFile(file, text, language);
    },
  };
  const program = ts.createProgram([...virtual.keys()], options, withSources);
  return [...virtual.keys()].flatMap((file) => {
    const source = program.getSourceFile(file);
    const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    return found.map((each) => `${path.basename(file)}: ${ts.flattenDiagnosticMessageText(each.messageText, '\n')}`);
  });
}
