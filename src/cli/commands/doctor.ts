import type { z } from 'zod';
import { defineCommand } from '../command.ts';
import { Options } from '../options.ts';

const DoctorOptions = Options.pick({ install: true, browser: true, quiet: true, json: true });
export type DoctorOptions = z.output<typeof DoctorOptions>;

export const doctor = defineCommand({
  name: 'doctor',
  group: 'program',
  summary: 'Show what this machine has, and what is missing',
  about:
    'Show what this machine has and what is missing; with --install, install a browser if there is none; with --browser shell, the headless shell.',
  options: DoctorOptions,
  run: async (request, terminal) => (await import('../actions/doctor.ts')).doctor(request, terminal),
});
