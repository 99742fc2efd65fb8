import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../process/own-folder.ts';

export interface FlagOptions {
  profile: string;
  /** `host:port` of the proxy that takes everything that no episode asked for. */
  backgroundProxy: string;
  /** SHA-256, base64, of the public key of the certificate that our worlds show; that key alone is trusted. */
  trustedSpki: string | null;
  sandbox: boolean;
  /** Whether it runs in a sandbox with a network of its own, where proxies have all kinds of loopback addresses. */
  isConfined?: boolean;
  /** Shows its windows on the screen, to a user. */
  headed?: boolean;
}

/** The host for Chromium's own requests: a name that cannot exist (RFC 2606). */
export const BACKGROUND_HOST = 'background.invalid';

const DISABLED_FEATURES = [
  'Translate',
  'MediaRouter',
  'OptimizationHints',
  // Each new window would load two browser pages for the address bar: hundreds of requests, and useless targets.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  // Would ask Google about every form.
  'AutofillServerCommunication',
  // Would try https: first where a page is asked for over http:.
  'NetworkTimeServiceQuerying',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
];

/** Features for pages in addition to those that are on by default. All entrants have them, so that a page is the same through every surface. */
const ENABLED_FEATURES = [
  // `document.modelContext`: pages register tools.
  'WebMCP',
];

const QUIET = [
  '--headless=new',
  '--disable-gpu',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-component-update',
  // Background requests that it still makes go to this host, so that they can be distinguished from those of pages and agents.
  `--gaia-url=https://${BACKGROUND_HOST}`,
  `--component-updater=url-source=https://${BACKGROUND_HOST}/`,

  '--disable-sync',
  '--disable-default-apps',
  '--disable-extensions',
  '--disable-quic',
  // An error page would load itself again after a while.
  '--disable-auto-reload',
  '--password-store=basic',
  '--use-mock-keychain',
  '--hide-scrollbars',
  // A page that comes back from this cache does so without a load, which clients of the protocol wait for.
  '--disable-back-forward-cache',
  '--mute-audio',
  '--lang=en-US',
  '--window-size=1280,720',
  // Else 800x600, which is less than a window: pages ask for it, and windows that pages open are cut to it.
  '--screen-info={1920x1080}',
  // WebRTC would go past the proxy; the headless shell has another name for the switch.
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  `--disable-features=${DISABLED_FEATURES.join(',')}`,
  `--enable-features=${ENABLED_FEATURES.join(',')}`,
];

/** Those of a browser without windows. */
const HEADLESS = /^--(?:headless|hide-scrollbars|screen-info)\b/;

/** The command line that Chromium is started with; it is pinned in every row. */
export function chromiumFlags(options: FlagOptions): string[] {
  return [
    ...(options.headed === true ? QUIET.filter((flag) => !HEADLESS.test(flag)) : QUIET),
    // The one way in, and Chromium dies with it. Any program on this machine could find a port, which has no password.
    '--remote-debugging-pipe',
    `--proxy-server=http://${options.backgroundProxy}`,
    // Loopback too goes through the proxy: a page is not to reach what runs on this machine.
    '--proxy-bypass-list=<-loopback>',
    ...(options.trustedSpki === null ? [] : [`--ignore-certificate-errors-spki-list=${options.trustedSpki}`]),
    // A name that a proxy does not resolve is not resolved at all.
    `--host-resolver-rules=MAP * ~NOTFOUND,EXCLUDE ${options.isConfined === true ? '127.*' : '127.0.0.1'},EXCLUDE localhost`,
    ...(options.sandbox ? [] : ['--no-sandbox']),
    `--user-data-dir=${options.profile}`,
    // Without a page of our own, Debian's start page would be fetched, and would hold up the first client.
    'about:blank',
  ];
}

const PREFERENCES = {
  // Chromium predicts what a user wants next and connects to it: requests that neither page nor agent made.
  net: { network_prediction_options: 2 },
  // The PDF viewer is one of the browser's own pages, and a client attached to it could open any local file in a tab.
  plugins: { always_open_pdf_externally: true },
};

export function makeProfile(): string {
  const profile = makeFolder('profile');
  mkdirSync(path.join(profile, 'Default'));
  writeFileSync(path.join(profile, 'Default', 'Preferences'), JSON.stringify(PREFERENCES));
  return profile;
}
