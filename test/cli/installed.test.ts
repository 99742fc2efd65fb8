import { expect, test } from 'vitest';
import { refuseInstalled } from '../../src/cli/suites.ts';
import { asTyped } from '../../src/cli/terminal.ts';

const ROOT = '/home/me/shop/node_modules/touchstone';

test('nothing of an installed package is written', () => {
  const own = `${ROOT}/suites/basics/qualification.json`;
  expect(() => refuseInstalled(['/home/me/shop/suite/qualification.json', own], ROOT)).toThrow(
    'suites/basics/qualification.json belongs to the installed package',
  );
});

test('a suite of the project that it is installed in is, and so is a clone', () => {
  expect(() => refuseInstalled(['/home/me/shop/suite/qualification.json'], ROOT)).not.toThrow();
  expect(() => refuseInstalled(['/home/me/clone/suites/basics/qualification.json'], '/home/me/clone')).not.toThrow();
});

test.each(['npx touchstone', 'npm run touchstone --'])('commands are printed as %s', (command) => {
  expect(asTyped('see "touchstone show --help", then touchstone qualify ./touchstone', { command })).toBe(
    `see "${command} show --help", then ${command} qualify ./touchstone`,
  );
});

test('what is no command stays as it is', () => {
  const text = 'bundles/touchstone is not there; Touchstone needs touchstone.yaml';
  expect(asTyped(text, { command: 'npx touchstone' })).toBe(text);
});
