import type { Template } from './template.ts';

const DISTRUST = 'do not trust this bundle';
const RESTORE = 'restore it; do not edit it by hand, and do not trust a bundle that arrived like this';
const RESTORE_LEDGER = 'restore the ledger; do not trust this bundle';
const FETCH = 'fetch the bundle again, or do not trust it';
const OTHER_PACKED = 'name a folder that holds a bundle, or a zip made by "touchstone pack"; do not trust this one';
const UNPACK_YOURSELF = 'unpack it yourself if you trust it, and name the folder; at most {most} are unpacked';
const OTHER_KEY = 'name another with --key; "openssl genpkey -algorithm ed25519 -out <new file>" makes one';
const OTHER_STORE = 'name another place with --store';

/** Why a bundle, or a file of it, cannot be read or written. */
export const BUNDLE = {
  bad_sha256: { text: '{name} is not a SHA-256', remedy: 'write 64 lower-case hexadecimal digits' },
  bad_episode_id: { text: '{name} is not an episode id', remedy: 'write 16 to 64 lower-case hexadecimal digits' },
  bad_attempt: { text: '{attempt} is not an attempt', remedy: 'use a number from 1 to {most}' },
  secret_bad_name: { text: '{name} cannot name a secret', remedy: 'use letters, digits, "_", "." and "-"' },
  secret_short: {
    text: 'the value of secret {name} is too short to be redacted',
    remedy: 'use at least {least} characters; shorter values occur by chance in ordinary text',
  },
  file_missing: { text: '{file} is missing', remedy: 'fetch the whole bundle again' },
  file_unreadable: { text: '{file} cannot be read ({why})', remedy: 'check its permissions' },
  file_too_large: { text: '{file} has {bytes} bytes', remedy: 'raise the limit above {most} bytes' },
  not_a_file: {
    text: '{file} is not a plain file',
    remedy: 'a bundle contains only plain files; do not trust this one',
  },
  link_in_bundle: {
    text: '{folder} contains {name}, which is a link or a device',
    remedy: 'a bundle contains only plain files and folders; do not trust this one',
  },
  line_too_long: { text: '{file} has a line longer than {most} bytes', remedy: 'do not trust this file' },
  not_json: { text: '{file} is not JSON', remedy: RESTORE },
  not_utf8: { text: '{file} is not UTF-8', remedy: RESTORE },
  half_character: { text: '{file} contains half of a surrogate pair{place|:|other: in {place}}', remedy: RESTORE },
  other_shape: { text: '{file} is not {what}: {problem}{more|0:|other: (and {more} more)}', remedy: RESTORE },
  no_row: { text: '{folder} has no row.json', remedy: 'write row.json before you seal the attempt, or void it' },
  row_of_other_attempt: { text: '{file} is the row of attempt {attempt} of episode {episode}', remedy: DISTRUST },
  row_hashes_differ: { text: '{file} does not match its own hashes', remedy: DISTRUST },
  plan_order: {
    text: 'row {row} is not in plan order (plan_index {place})',
    remedy: 'sort the rows by plan_index and give one row for each episode',
  },
  not_pinned: { text: 'campaign.json pins no {what} of {name}', remedy: DISTRUST },
  seal_not_canonical: { text: '{file} is not written in the canonical form of a seal', remedy: DISTRUST },
  signature_invalid: { text: '{file} is not a signature of seal.json', remedy: DISTRUST },
  key_encrypted: {
    text: 'the private key in {file} is encrypted',
    remedy: 'write it without a passphrase into another file: openssl pkey -in {file} -out <new file>',
  },
  key_invalid: { text: '{file} is not a private Ed25519 key in PEM', remedy: OTHER_KEY },
  key_unreadable: { text: '{why}', remedy: OTHER_KEY },
  ledger_not_canonical: { text: '{line} is not written in the canonical form of a ledger', remedy: RESTORE_LEDGER },
  ledger_no_record: { text: '{line} is not a ledger record ({why})', remedy: RESTORE_LEDGER },
  ledger_other_seq: { text: '{line} is numbered as record {seq}', remedy: RESTORE_LEDGER },
  ledger_broken: { text: '{line} does not follow from the record before it', remedy: RESTORE_LEDGER },
  ledger_shared: {
    text: '{file} was changed by another writer',
    remedy: 'end the other process that runs this campaign, then resume',
  },
  blob_missing: { text: 'blob {blob} is not in {folder}', remedy: 'fetch the whole bundle again' },
  blob_corrupt: { text: 'blob {blob} does not match the hash in its name', remedy: FETCH },
  blob_not_unpacked: { text: 'blob {blob} cannot be unpacked', remedy: FETCH },
  blob_too_large: { text: 'blob {blob} has {bytes} bytes', remedy: 'store at most {most}' },
  blob_unpacks_too_large: {
    text: 'blob {blob} unpacks to more than the limit',
    remedy: 'raise the limit above {most} bytes if you trust this bundle',
  },
  store_lacks_blob: {
    text: 'blob {blob} is not in {store}',
    remedy: 'give worker and coordinator the same --queue and --store',
  },
  store_blob_corrupt: {
    text: 'blob {blob} does not match the hash in its name',
    remedy: 'find out what else writes there',
  },
  store_blob_too_large: { text: 'blob {blob} has more than {most} bytes', remedy: OTHER_STORE },
  packed_strange: {
    text: '{file}: {name} is {what|foreign:not a file of a bundle|link:not a plain file|twice:in it twice}',
    remedy: OTHER_PACKED,
  },
  packed_too_many: { text: '{file} unpacks to {files} files', remedy: UNPACK_YOURSELF },
  packed_too_large: { text: '{file} unpacks to more than {most} bytes', remedy: UNPACK_YOURSELF },
  packed_unreadable: { text: '{file} cannot be unpacked: {why}', remedy: OTHER_PACKED },
  foreign_file: {
    text: '{folder}: {name} is not a {plain|true:file of a bundle|other:plain file}',
    remedy: 'remove it, so that it is not published with the bundle',
  },
  cannot_listen: {
    text: 'cannot listen on port {port}: {why}',
    remedy: 'choose another --port, or leave it out for a free one',
  },
} as const satisfies Record<string, Template>;
