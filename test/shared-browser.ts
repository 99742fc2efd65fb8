import { requireBrowser } from '../src/browser/find.ts';
import { launchBrowser, type OwnedBrowser } from '../src/browser/launch.ts';
import { type TlsIdentity, tlsIdentityOfProcess } from '../src/world/tls-identity.ts';

interface Shared {
  identity: TlsIdentity;
  browser: OwnedBrowser;
}

let launched: Promise<Shared> | null = null;

/** The Chromium that all browser tests of this process share; it ends with the process. */
export async function sharedBrowser(): Promise<OwnedBrowser> {
  launched ??= launch();
  return (await launched).browser;
}

/** The key that the shared Chromium trusts. */
export async function sharedIdentity(): Promise<TlsIdentity> {
  launched ??= launch();
  return (await launched).identity;
}

let ofMachine: Promise<OwnedBrowser> | null = null;

/** Another that all tests of this process share: it shows files and servers of this machine, like that of a user who reads a report. */
export async function machineBrowser(): Promise<OwnedBrowser> {
  ofMachine ??= launchBrowser({ binary: requireBrowser('full'), reach: 'machine' });
  return await ofMachine;
}

async function launch(): Promise<Shared> {
  const identity = await tlsIdentityOfProcess();
  const browser = await launchBrowser({ binary: requireBrowser('full'), trustedSpki: identity.spki });
  return { identity, browser };
}
