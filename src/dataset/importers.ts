import type { Importer } from './importer.ts';
import { WEBARENA_FAMILY } from './webarena-family.ts';
import { WEBARENA_INFINITY } from './webarena-infinity/importer.ts';
import { WEBARENA_VERIFIED } from './webarena-verified/importer.ts';
import { WEBGAMES } from './webgames/importer.ts';
import { WEBMCP_EVALS } from './webmcp-evals.ts';
import { WEBVOYAGER } from './webvoyager.ts';

export const IMPORTERS: readonly Importer[] = [
  ...WEBARENA_FAMILY,
  WEBARENA_VERIFIED,
  WEBARENA_INFINITY,
  WEBGAMES,
  WEBVOYAGER,
  WEBMCP_EVALS,
];
