import { parse, printParseErrorCode, type ParseError } from 'jsonc-parser';

/** Name what should stand where the text stops being JSON, by the parser's name for the fault. */
const WANTED: Record<string, string> = {
  InvalidSymbol: 'text in double quotes, a number, true, false or null',
  PropertyNameExpected: 'a field name in double quotes',
  ValueExpected: 'a value',
  ColonExpected: '":"',
  CommaExpected: '"," or the closing bracket',
  CloseBraceExpected: '"," or the closing bracket',
  CloseBracketExpected: '"," or the closing bracket',
  EndOfFileExpected: 'the end of the file',
};

/**
 * Where a text stops being JSON and what should stand there, or null when it is JSON. `JSON.parse` decides; but it names no
 * place for some faults, and its words differ between versions of Node.
 */
export function jsonFault(text: string): { offset: number; message: string } | null {
  try {
    JSON.parse(text);
    return null;
  } catch {
    const faults: ParseError[] = [];
    parse(text, faults, { disallowComments: true });
    const [fault] = faults;
    const wanted = fault === undefined ? undefined : WANTED[printParseErrorCode(fault.error)];
    const message = `is not JSON: here should be ${wanted ?? 'well-formed text or a number, and no comment'}; fix it, or name the file .yaml`;
    return { offset: fault?.offset ?? 0, message };
  }
}
