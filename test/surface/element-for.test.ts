import { describe, expect, it } from 'vitest';
import { elementFor } from '../../src/surface/aria/element-for.ts';

const button = (name: string, ref = name) => ({ role: 'button', name, ref });
const click = (name: string) => ({ do: 'click', role: 'button', name }) as const;

describe('the element that a step means', () => {
  it('is the first of its role and name', () => {
    const elements = [{ role: 'link', name: 'Send', ref: 'a' }, button('Send', 'b'), button('Send', 'c')];
    expect(elementFor(click('Send'), elements)?.ref).toBe('b');
  });

  it('may be shown with another icon, or with white space, than the step has', () => {
    expect(elementFor(click('Deploy'), [button(' Deploy')])?.ref).toBe(' Deploy');
    expect(elementFor(click('\uf017 For'), [button('For')])?.ref).toBe('For');
    expect(elementFor(click('Two words'), [button('Two\u00a0 words')])?.ref).toBe('Two\u00a0 words');
  });

  it('is the one of the very name, where there is one', () => {
    expect(elementFor(click('Deploy'), [button(' Deploy'), button('Deploy')])?.ref).toBe('Deploy');
  });

  it('is no other that merely holds the name', () => {
    expect(elementFor(click('Deploy'), [button('Deploy all'), button('deploy')])).toBeUndefined();
  });

  it('takes text or an option, where the step gives one', () => {
    const elements = [button('Size'), { role: 'combobox', name: 'Size', ref: 'list' }];
    expect(elementFor({ do: 'choose', label: 'Size', option: 'L' }, elements)?.ref).toBe('list');
    expect(elementFor({ do: 'fill', label: 'Size', text: 'L' }, elements)?.ref).toBe('list');
  });
});
