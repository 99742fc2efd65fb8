import { LineCounter } from 'yaml';
import type { Fact } from '../../messages/message.ts';
import { fact } from '../../messages/messages.ts';
import { jsonText } from './json-text.ts';
import type { Position, ReadSource, TextFault } from './source.ts';
import { yamlText } from './yaml.ts';

export function parseText(text: string, format: 'yaml' | 'json'): ReadSource {
  const lines = new LineCounter();
  const placeAt = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const failed = (faults: readonly TextFault[]): ReadSource => ({
    ok: false,
    problems: faults.map(({ offset, what }) => ({ ...placeAt(offset), path: [], what })),
  });
  try {
    const read = format === 'json' ? jsonText(text, lines) : yamlText(text, lines);
    if (!read.ok) return failed(read.faults);
    const { value, offsetOf } = read;
    return { ok: true, value: { value, placeOf: (path) => placeAt(offsetOf(path)) } };
  } catch (error) {
    return failed([{ offset: 0, what: refusal(error) }]);
  }
}

/** The parser recurses, so deep nesting uses up its stack; and it counts aliases. */
function refusal(error: unknown): Fact {
  if (error instanceof RangeError) return fact('file_nested_deep');
  if (!(error instanceof ReferenceError)) throw error;
  return fact('aliases_invalid', { error: error.message });
}
