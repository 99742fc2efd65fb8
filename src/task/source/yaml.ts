import { isScalar, parseDocument, visit, type Document, type LineCounter, type YAMLError } from 'yaml';

/** Something wrong at an offset of a text. */
export interface TextFault {
  offset: number;
  message: string;
}

const REMEDIES: Record<string, string> = {
  BAD_INDENT: 'align it with the lines that it belongs to, or close the bracket',
  BAD_SCALAR_START: 'put the value in quotes',
  BLOCK_AS_IMPLICIT_KEY: 'put a value that holds ": " in quotes',
  MISSING_CHAR: 'close the quote or bracket, or align the line',
  TAB_AS_INDENT: 'indent with spaces',
  TAG_RESOLVE_FAILED: 'leave the tag out',
};

/**
 * Parses YAML 1.2, and JSON too. The parser does not look for fields given twice itself, since it takes quadratic time:
 * two minutes for a file of 280 kB.
 */
export function yamlDocument(text: string, lineCounter: LineCounter): Document {
  return parseDocument(text, {
    version: '1.2',
    schema: 'core',
    resolveKnownTags: false,
    stringKeys: true,
    prettyErrors: false,
    uniqueKeys: false,
    lineCounter,
  });
}

/** Everything that is wrong with a document as YAML: its syntax, fields given twice, aliases that stand for nothing. */
export function yamlFaults(document: Document): TextFault[] {
  const faults = [...[...document.errors, ...document.warnings].map(syntaxFault), ...repeatedFields(document)];
  const anchors = new Set<string>();
  visit(document, {
    Value: (_, { anchor }) => void (anchor !== undefined && anchors.add(anchor)),
    Alias: (_, { source, range }) => {
      if (anchors.has(source)) return;
      const message = `alias *${source} has no anchor above it; write &${source} before the value it stands for`;
      faults.push({ offset: range?.[0] ?? 0, message });
    },
  });
  if (faults.length === 0 && document.contents === null) {
    faults.push({ offset: 0, message: 'is empty; write at least one field' });
  }
  return faults;
}

/** Fields that a map has twice. */
export function repeatedFields(document: Document): TextFault[] {
  const faults: TextFault[] = [];
  visit(document, {
    Map(_, map) {
      const names = new Set<unknown>();
      for (const { key } of map.items) {
        if (!isScalar(key)) continue;
        if (names.has(key.value)) {
          faults.push({ offset: key.range?.[0] ?? 0, message: 'this field is given twice; keep one of them' });
        }
        names.add(key.value);
      }
    },
  });
  return faults;
}

/** A fault of YAML's syntax in plain words, with its remedy. */
function syntaxFault({ code, message, pos: [offset] }: YAMLError): TextFault {
  if (code === 'MULTIPLE_DOCS') {
    return { offset, message: 'a second document starts here; write a list of tasks, or one file each' };
  }
  if (code === 'NON_STRING_KEY') return { offset, message: 'a field name must be text; use a plain word' };
  const remedy = REMEDIES[code] ?? 'check indentation, quotes and brackets here';
  return { offset, message: `is not YAML: ${message}; ${remedy}` };
}
