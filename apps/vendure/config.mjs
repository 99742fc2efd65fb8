import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/** What this store is made of, from the folder into which Vendure is installed. */
export function vendureIn(installed) {
  const require = createRequire(path.join(installed, 'package.json'));
  return { core: require('@vendure/core'), adminUi: require('@vendure/admin-ui-plugin'), require };
}

/** Vendure as it comes, with its own admin UI, over SQLite compiled to WebAssembly. */
export function storeConfig({ core, adminUi, require }, { data, port, synchronize }) {
  let orders = 1000;
  return {
    apiOptions: { hostname: '127.0.0.1', port, adminApiPath: 'admin-api', shopApiPath: 'shop-api' },
    authOptions: {
      tokenMethod: ['bearer', 'cookie'],
      superadminCredentials: { identifier: 'manager', password: 'garden-2030' },
      cookieOptions: { secret: 'only-on-loopback' },
      requireVerification: false,
    },
    dbConnectionOptions: {
      type: 'sqljs',
      driver: require('sql.js'),
      location: path.join(data, 'store.sqlite'),
      autoSave: true,
      synchronize,
      migrations: [],
    },
    paymentOptions: { paymentMethodHandlers: [core.dummyPaymentHandler] },
    // Orders are numbered as they come.
    orderOptions: { orderCodeStrategy: { generate: () => `T${(orders += 1)}` } },
    importExportOptions: { importAssetsDir: data },
    logger: new core.DefaultLogger({ level: core.LogLevel.Warn }),
    plugins: [
      adminUi.AdminUiPlugin.init({
        route: 'admin',
        port,
        app: { path: adminUiIn(data, require) },
        // The picture that it comes with is on another site.
        adminUiConfig: { loginImageUrl: '/admin/assets/logo-login.webp' },
      }),
    ],
  };
}

/** The compiled admin UI, with copies of the two files that the plugin writes: an installation stays as it is. */
function adminUiIn(data, require) {
  const root = path.dirname(require.resolve('@vendure/admin-ui-plugin/package.json'));
  const compiled = path.join(root, 'lib/admin-ui/browser');
  const folder = path.join(path.dirname(data), 'admin-ui');
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(compiled)) {
    const place = path.join(folder, name);
    if (name === 'index.html' || name === 'vendure-ui-config.json') cpSync(path.join(compiled, name), place);
    else symlinkSync(path.join(compiled, name), place);
  }
  return folder;
}
