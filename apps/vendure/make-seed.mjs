// node make-seed.mjs <installation>: fills an empty store through Vendure's own import and APIs, and writes seed/store.sql.
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { storeConfig, vendureIn } from './config.mjs';

const installed = path.resolve(process.argv[2] ?? '');
const data = path.join(mkdtempSync(path.join(tmpdir(), 'vendure-seed-')), 'data');
mkdirSync(data);
const vendure = vendureIn(installed);
const PORT = 45_999;

const INITIAL = {
  defaultLanguage: 'en',
  defaultZone: 'Europe',
  countries: ['Austria AT', 'France FR', 'Germany DE'].map((text) => {
    const [name, code] = text.split(' ');
    return { name, code, zone: 'Europe' };
  }),
  taxRates: [{ name: 'Standard Tax', percentage: 20 }],
  shippingMethods: [
    { name: 'Parcel', price: 490 },
    { name: 'Express', price: 1290 },
  ],
  paymentMethods: [
    {
      name: 'Bank transfer',
      handler: { code: 'dummy-payment-handler', arguments: [{ name: 'automaticSettle', value: 'true' }] },
    },
  ],
  collections: [],
};
const PRODUCTS = `name,slug,description,assets,facets,optionGroups,optionValues,sku,price,taxCategory,stockOnHand,trackInventory,variantAssets,variantFacets
Clay pot,clay-pot,A pot of fired clay with a hole for water.,,Category:Pots,,,POT-CLAY,12.50,Standard Tax,40,true,,
Glazed pot,glazed-pot,A blue glazed pot.,,Category:Pots,,,POT-GLAZED,19.90,Standard Tax,15,true,,
Watering can,watering-can,Holds eight litres.,,Category:Tools,,,CAN-8,24.00,Standard Tax,22,true,,
Garden shears,garden-shears,For twigs up to two centimetres.,,Category:Tools,,,SHEARS-2,31.50,Standard Tax,9,true,,
Tomato seeds,tomato-seeds,An old variety with a thin skin.,,Category:Seeds,,,SEED-TOM,3.20,Standard Tax,200,true,,
Basil seeds,basil-seeds,Sow from April on.,,Category:Seeds,,,SEED-BAS,2.80,Standard Tax,180,true,,
Peat soil,peat-soil,Is not sold any more.,,Category:Soil,,,SOIL-PEAT,8.90,Standard Tax,0,true,,
`;

writeFileSync(path.join(data, 'products.csv'), PRODUCTS);
const { populate } = vendure.require('@vendure/core/cli');
const config = storeConfig(vendure, { data, port: PORT, synchronize: true });
const app = await populate(() => vendure.core.bootstrap(config), INITIAL, path.join(data, 'products.csv'));

let token = '';
async function ask(api, query, variables = {}) {
  const headers = { 'content-type': 'application/json', ...(token === '' ? {} : { authorization: `Bearer ${token}` }) };
  const reply = await fetch(`http://127.0.0.1:${PORT}/${api}`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ query, variables }),
  });
  token = reply.headers.get('vendure-auth-token') ?? token;
  const { data: answer, errors } = await reply.json();
  if (errors !== undefined) throw new Error(JSON.stringify(errors));
  return answer;
}
const admin = (query, variables) => ask('admin-api', query, variables);
const shop = (query, variables) => ask('shop-api', query, variables);

const login = 'mutation { login(username: "manager", password: "garden-2030") { __typename } }';
await admin(login);
const customers = [
  { firstName: 'Nora', lastName: 'Lindqvist', emailAddress: 'nora@example.com', phoneNumber: '555-0101' },
  { firstName: 'Mateo', lastName: 'Rossi', emailAddress: 'mateo@example.com', phoneNumber: '555-0102' },
  { firstName: 'Hana', lastName: 'Sato', emailAddress: 'hana@example.com', phoneNumber: '555-0103' },
];
await admin('mutation { createCustomerGroup(input: { name: "Trade", customerIds: [] }) { id } }');
const { productVariants } = await admin('{ productVariants { items { id sku } } }');
const idOf = (sku) => productVariants.items.find((item) => item.sku === sku).id;

const ORDERS = [
  { input: customers[0], sku: 'CAN-8', quantity: 2 },
  { input: customers[1], sku: 'POT-CLAY', quantity: 6 },
  { input: customers[2], sku: 'SHEARS-2', quantity: 1 },
];
for (const { input, sku, quantity } of ORDERS) {
  token = '';
  await shop(`mutation { addItemToOrder(productVariantId: "${idOf(sku)}", quantity: ${quantity}) { __typename } }`);
  await shop(
    'mutation ($input: CreateCustomerInput!) { setCustomerForOrder(input: $input) { __typename ... on ErrorResult { message } } }',
    { input },
  );
  const address =
    '{ fullName: "At home", streetLine1: "1 Elm Street", city: "Berlin", postalCode: "10115", countryCode: "DE" }';
  await shop(`mutation { setOrderShippingAddress(input: ${address}) { __typename } }`);
  const { eligibleShippingMethods: ways } = await shop('{ eligibleShippingMethods { id } }');
  await shop(`mutation { setOrderShippingMethod(shippingMethodId: ["${ways[0]?.id}"]) { __typename } }`);
  await shop('mutation { transitionOrderToState(state: "ArrangingPayment") { __typename } }');
  const { addPaymentToOrder: paid } = await shop(
    'mutation { addPaymentToOrder(input: { method: "bank-transfer", metadata: {} }) { __typename ... on Order { code state } ... on ErrorResult { message } } }',
  );
  if (paid.state !== 'PaymentSettled') throw new Error(JSON.stringify(paid));
}
await sleep(3_000);
await app.close();

const SQL = await vendure.require('sql.js')();
const store = new SQL.Database(readFileSync(path.join(data, 'store.sqlite')));
store.run('DELETE FROM session');
const rows = (query) => store.exec(query)[0]?.values ?? [];
// Every time is the same one, so that no seed differs from another by when it was made.
const timeless = (text) => text.replaceAll(/\b20\d\d-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?/g, '2026-01-05 09:00:00');
const literal = (value) =>
  value === null
    ? 'NULL'
    : typeof value === 'number'
      ? String(value)
      : `'${timeless(String(value)).replaceAll("'", "''")}'`;
const lines = [];
const schema = rows("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'");
for (const [type, , sql] of schema) if (type === 'table') lines.push(`${sql};`);
for (const [type, name] of schema) {
  if (type !== 'table') continue;
  for (const row of rows(`SELECT * FROM "${name}"`))
    lines.push(`INSERT INTO "${name}" VALUES (${row.map(literal).join(', ')});`);
}
for (const [name, seq] of rows('SELECT name, seq FROM sqlite_sequence'))
  lines.push(`UPDATE sqlite_sequence SET seq = ${seq} WHERE name = '${name}';`);
for (const [type, , sql] of schema) if (type !== 'table') lines.push(`${sql};`);
writeFileSync(path.join(import.meta.dirname, 'seed/store.sql'), `${lines.join('\n')}\n`);
process.exit();
