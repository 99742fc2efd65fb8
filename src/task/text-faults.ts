import { isAlias, isCollection, isScalar, visit, type Document, type YAMLError } from 'yaml';

/** Something wrong at an offset of a text. */
export interface Fault {
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

/** A fault of YAML's syntax in plain words, with its remedy. */
export function syntaxFault({ code, message, pos: [offset] }: YAMLError): Fault {
  if (code === 'MULTIPLE_DOCS') {
    return { offset, message: 'a second document starts here; write a list of tasks, or one file each' };
  }
  if (code === 'NON_STRING_KEY') return { offset, message: 'a field name must be text; use a plain word' };
  const remedy = REMEDIES[code] ?? 'check indentation, quotes and brackets here';
  return { offset, message: `is not YAML: ${message}; ${remedy}` };
}

/** Fields that a map has twice. The parser could tell too, but takes quadratic time for it. */
export function repeatedFields(document: Document): Fault[] {
  const faults: Fault[] = [];
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

/** Aliases that stand for nothing. */
export function unknownAliases(document: Document): Fault[] {
  const anchors = new Set<string>();
  const faults: Fault[] = [];
  visit(document, (_, node) => {
    if (isAlias(node) && !anchors.has(node.source)) {
      const message = `alias *${node.source} has no anchor above it; write &${node.source} before the value it stands for`;
      faults.push({ offset: node.range?.[0] ?? 0, message });
    } else if ((isScalar(node) || isCollection(node)) && node.anchor !== undefined) anchors.add(node.anchor);
  });
  return faults;
}
