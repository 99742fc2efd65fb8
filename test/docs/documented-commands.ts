import { allCommandsIn } from './command-line.ts';
import { blocksOf, codeSpans, pages } from './pages.ts';

export interface Documented {
  place: string;
  command: string;
}

const inBlocks = pages()
  .flatMap(blocksOf)
  .filter(({ language }) => language === 'sh')
  .flatMap(({ text, place }) => allCommandsIn(text).map((command) => ({ place, command })));
const inText = pages().flatMap(({ name, text }) =>
  codeSpans(text)
    .filter((span) => !span.includes('…') && !span.includes('<'))
    .flatMap((span) => allCommandsIn(span).map((command) => ({ place: name, command }))),
);

/** Every line of shell in a document, and every code span, of which some are commands. */
export const DOCUMENTED: readonly Documented[] = [...inBlocks, ...inText].filter(({ command }) =>
  command.includes(' '),
);
