import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dataBlock, inlined, markup } from '../../../src/report/html/markup.ts';

describe('markup', () => {
  it('takes text as data, in elements and in attributes', () => {
    const text = `<script>"'&`;
    expect(String(markup`<b title="${text}">${text}</b>`)).toBe(
      '<b title="&lt;script&gt;&quot;&#39;&amp;">&lt;script&gt;&quot;&#39;&amp;</b>',
    );
  });

  it('takes its own output unchanged, one or many', () => {
    expect(String(markup`<ul>${['a', '<'].map((each) => markup`<li>${each}</li>`)}</ul>`)).toBe(
      '<ul><li>a</li><li>&lt;</li></ul>',
    );
  });

  it('shows nothing for null, and a zero for a zero', () => {
    expect(String(markup`[${null}][${0}]`)).toBe('[][0]');
  });

  it('makes visible what would steer a terminal or reorder text', () => {
    expect(String(markup`${'\u001b[31m\u202e'}`)).toBe('␛[31m\\u202e');
  });

  it('never lets data end the element that contains it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(String(markup`${text}`)).not.toMatch(/[<>"'\p{Cc}]/u);
      }),
    );
  });
});

describe('a block of data', () => {
  it('is the same value again, whatever is in it, and cannot be ended from within', () => {
    const anything = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('</script>', '<!--', '\u2028', ']]>'));
    fc.assert(
      fc.property(fc.array(anything), (texts) => {
        const [, json = ''] =
          /^<script type="application\/json" id="data">([^]*)<\/script>$/.exec(String(dataBlock('data', texts))) ?? [];
        expect(json).not.toContain('<');
        expect(JSON.parse(json)).toEqual(texts);
      }),
    );
  });
});

describe('a script or style of ours', () => {
  it('is named by the hash of its very bytes', () => {
    const { element, source } = inlined('script', 'a < b');
    expect(String(element)).toBe('<script>a < b</script>');
    expect(source).toBe(`'sha256-${createHash('sha256').update('a < b').digest('base64')}'`);
  });

  it.each(['"</script>"', '</STYLE >', '<!-- '])('cannot hold %s, which would end it', (text) => {
    expect(() => inlined('script', text)).toThrow('would end its own element');
  });
});
