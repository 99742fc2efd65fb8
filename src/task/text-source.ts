import { LineCounter, parseDocument, type Document } from 'yaml';
import { jsonFault } from './json-fault.ts';
import type { Place, ReadSource } from './source.ts';
import { nestingOffset } from './text-nesting.ts';
import { offsetsIn } from './text-places.ts';
import { repeatedFields, syntaxFault, unknownAliases, type Fault } from './text-faults.ts';

/** Most that aliases may multiply the values of a file. */
const MAX_ALIASES = 100;

/** Parses YAML 1.2 or JSON, and knows afterwards where in the text each value stands. */
export function parseText(text: string, format: 'yaml' | 'json'): ReadSource {
  const lines = new LineCounter();
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const tooDeep = nestingOffset(text, lines.addNewLine);
  const parsed =
    tooDeep === null
      ? (format === 'json' ? parseJson : parseYaml)(text)
      : [{ offset: tooDeep, message: 'is nested too deeply to be a task; flatten it' }];
  if (Array.isArray(parsed)) {
    return { ok: false, problems: parsed.map(({ offset, message }) => ({ ...placeAt(offset), message })) };
  }
  const { value, document } = parsed;
  const offsetOf = offsetsIn(document);
  return { ok: true, source: { value, placeOf: (path) => placeAt(offsetOf(path)) } };
}

interface ParsedText {
  value: unknown;
  document: Document;
}

function parseYaml(text: string): ParsedText | Fault[] {
  const document = documentOf(text);
  const syntax = [...document.errors, ...document.warnings].map(syntaxFault);
  const faults = [...syntax, ...repeatedFields(document), ...unknownAliases(document)];
  if (faults.length > 0) return faults;
  if (document.contents === null) return [{ offset: 0, message: 'is empty; write at least one field' }];
  try {
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
    return { value, document };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [{ offset: 0, message: `has aliases that cannot be followed: ${reason}; write the values out instead` }];
  }
}

/** JSON's own parser makes the value; the YAML parser, which takes JSON too, tells places and fields given twice. */
function parseJson(text: string): ParsedText | Fault[] {
  const fault = jsonFault(text);
  if (fault !== null) return [fault];
  const document = documentOf(text);
  const repeated = repeatedFields(document);
  if (repeated.length > 0) return repeated;
  const value: unknown = JSON.parse(text);
  return { value, document };
}

function documentOf(text: string): Document {
  return parseDocument(text, {
    version: '1.2',
    schema: 'core',
    resolveKnownTags: false,
    stringKeys: true,
    prettyErrors: false,
    uniqueKeys: false,
  });
}
