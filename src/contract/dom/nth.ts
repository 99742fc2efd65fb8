/** The positions `step × n + start` for n = 0, 1, 2, … (CSS Syntax, "An+B"). */
export interface Nth {
  readonly step: number;
  readonly start: number;
}

const AN_PLUS_B = /^(?:([+-]?\d*)n(?:\s*([+-])\s*(\d+))?|([+-]?\d+))$/;

/** Parses the argument of `:nth-child()` and its relatives; null when it is not of the form An+B. */
export function parseNth(argument: string): Nth | null {
  const text = argument.trim().toLowerCase();
  if (text === 'odd') return { step: 2, start: 1 };
  if (text === 'even') return { step: 2, start: 0 };
  const [, step, sign, offset, position] = AN_PLUS_B.exec(text) ?? [];
  if (position !== undefined) return { step: 0, start: Number(position) };
  if (step === undefined) return null;
  const factor = step === '' || step === '+' || step === '-' ? Number(`${step}1`) : Number(step);
  return { step: factor, start: offset === undefined ? 0 : Number(`${sign ?? ''}${offset}`) };
}

/** Whether a position, counted from 1, is one of them. */
export function isNth({ step, start }: Nth, position: number): boolean {
  const distance = position - start;
  return step === 0 ? distance === 0 : distance % step === 0 && distance / step >= 0;
}
