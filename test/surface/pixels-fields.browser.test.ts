import { expect, test } from 'vitest';
import { openSurface, SURFACES } from './page-session.ts';

const PAGES = {
  'http://a.test/': `<p><label>Day <input type="date" id="day"></label></p>
    <p><label>Volume <input type="range" id="volume" min="10" max="50" step="5" value="10"></label></p>
    <p><label>Name <input id="name" value="old"></label></p>`,
};

test.each([
  ['Day', 'day', '2031-03-14', '2031-03-14'],
  ['Day', 'day', '2031-12-03', '2031-12-03'],
  // Letters are no day.
  ['Day', 'day', 'soon', ''],
  ['Volume', 'volume', '40', '40'],
  ['Volume', 'volume', '15', '15'],
  ['Name', 'name', '2031-03-14', '2031-03-14'],
])('the field %s is filled at its place: %s, %s', async (label, id, text, expected) => {
  await using scene = await openSurface(SURFACES.pixels, PAGES);
  await scene.follow({ do: 'fill', label, text });
  expect(await scene.page.inputValue(`#${id}`)).toBe(expected);
});
