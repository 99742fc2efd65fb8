import { describe, expect, test } from 'vitest';
import { type InstallHost, tellsSize, waysToInstall } from '../../src/browser/install.ts';

const DEBIAN = 'PRETTY_NAME="Debian GNU/Linux 12"\nID=debian\n';
const UBUNTU = 'NAME="Ubuntu"\nID=ubuntu\nID_LIKE=debian\n';
const MINT = 'ID=linuxmint\nID_LIKE="ubuntu debian"\n';
const FEDORA = 'NAME="Fedora"\nID=fedora\nHOME_URL="https://example.org/not-debian"\n';

function programs(host: InstallHost): string[][] {
  return waysToInstall('full', host).map((way) =>
    way.map(([command, ...args]) => `${command.split('/').at(-1)} ${args.find((arg) => /^[a-z-]+$/.test(arg)) ?? ''}`),
  );
}

const WITH_APT = ['apt-get update', 'apt-get install'];
const WITH_PLAYWRIGHT = ['node install'];

describe('a browser is installed', () => {
  test.each([
    ['Debian', DEBIAN],
    ['Ubuntu', UBUNTU],
    ['what is like them', MINT],
  ])('with apt-get as root on %s, and with Playwright when that fails', (_, osRelease) => {
    expect(programs({ isRoot: true, osRelease })).toEqual([WITH_APT, WITH_PLAYWRIGHT]);
  });

  test.each([
    ['on Debian without root', { isRoot: false, osRelease: DEBIAN }],
    ['as root on another Linux', { isRoot: true, osRelease: FEDORA }],
    ['where nobody says what system it is', { isRoot: true, osRelease: null }],
  ])('with Playwright only, %s', (_, host) => {
    expect(programs(host)).toEqual([WITH_PLAYWRIGHT]);
  });

  test.each([
    ['full', 'chromium', 'chromium'],
    ['shell', 'chromium-headless-shell', 'chromium-headless-shell'],
  ] as const)('in the wanted kind (%s)', (kind, ofDebian, ofPlaywright) => {
    const [apt, playwright] = waysToInstall(kind, { isRoot: true, osRelease: DEBIAN });
    expect(apt?.at(-1)).toContain(ofDebian);
    expect(playwright?.at(-1)).toContain(ofPlaywright);
  });
});

describe('an installer is quoted', () => {
  test.each([
    'Need to get 205 MB of archives.',
    'After this operation, 728 MB of additional disk space will be used.',
    'Downloading Chrome for Testing 141.0.7390.37 (playwright build v1194)',
    '|■■■■■■■■                | 10% of 173.9 MiB',
  ])('if it states how much there is to get: %s', (line) => {
    expect(tellsSize(line)).toBe(true);
  });

  test.each([
    '(Reading database ... 45%',
    'Preparing to unpack .../01-dmsetup_2%3a1.02.185-2_amd64.deb ...',
    'Setting up chromium (156.0) ...',
  ])('but not otherwise: %s', (line) => {
    expect(tellsSize(line)).toBe(false);
  });
});
