import { type ElementStep, type Intent, isElementStep } from '../../task/intent.ts';
import { elementsOf } from '../../task/snapshot-text.ts';
import type { ToolReply } from '../../task/tool.ts';
import { observe } from '../keyword/observation.ts';

/** A step on another element, field or option of the same kind, which only the page names: the `nth` nearest in name, from 1. */
export interface OtherThan {
  do: 'other';
  than: ElementStep;
  nth: number;
}

/** A step of a task, or one that is made from it and from what the surface shows. */
export type TrialStep = Intent | OtherThan;

export const FILLED: readonly string[] = ['textbox', 'searchbox', 'spinbutton', 'combobox', 'slider'];
export const CHOSEN: readonly string[] = ['combobox', 'listbox'];

/** The roles of the elements that a step may mean. */
export function rolesOf(step: ElementStep): readonly string[] {
  if ('role' in step) return [step.role];
  return step.do === 'fill' ? FILLED : CHOSEN;
}

export interface Made {
  intent: Intent;
  /** Whether more is to be made from the same step after this. */
  goesOn?: boolean;
}

export function isMade(step: TrialStep | undefined): step is OtherThan {
  return step?.do === 'other';
}

/** Makes a step from what is shown; null if it does not show what is needed, or the surface does not list elements by name. */
export function madeFrom(step: OtherThan, last: ToolReply | null): Made | null {
  if (last?.kind !== 'snapshot') return null;
  const { than, nth } = step;
  const name = namesNear(than, last.text)[nth - 1];
  if (name === undefined) return null;
  if (than.do === 'choose') return { intent: { ...than, option: name } };
  return { intent: 'role' in than ? { ...than, name } : { ...than, label: name } };
}

export function describeMade({ than, nth }: OtherThan): { step: string; why: string } {
  return { step: `${than.do} ${otherText({ do: 'other', than, nth })}`, why: 'the surface shows none' };
}

function namesNear(than: ElementStep, snapshot: string): string[] {
  const own = than.do === 'choose' ? than.option : 'role' in than ? than.name : than.label;
  const all =
    than.do === 'choose'
      ? observe(snapshot).elements.flatMap(({ name, options }) => (name === than.label ? options : []))
      : elementsOf(snapshot).flatMap(({ role, name }) => (rolesOf(than).includes(role) ? [name] : []));
  const others = new Set(all.filter((name) => name.trim() !== '' && name !== own));
  return [...others].toSorted((a, b) => sharedStart(b, own) - sharedStart(a, own));
}

function sharedStart(one: string, other: string): number {
  const differs = one.split('').findIndex((letter, at) => letter !== other[at]);
  return differs === -1 ? one.length : differs;
}

/** The other steps that can be made from one; none from a step that names nothing. */
export function othersThan(step: Intent): OtherThan[] {
  if (!isElementStep(step) || step.do === 'drag' || step.do === 'hover') return [];
  return [1, 2].map((nth) => ({ do: 'other', than: step, nth }));
}

/** For example `on another link, the nearest in name`. */
export function otherText({ than, nth }: OtherThan): string {
  const what =
    'role' in than ? `on another ${than.role}` : than.do === 'fill' ? 'in another field' : 'with another option';
  return `${what}, the ${nth === 1 ? '' : 'second '}nearest in name`;
}
