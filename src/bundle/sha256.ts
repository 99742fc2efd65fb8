import { z } from 'zod';

export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'is not a SHA-256 in lower-case hexadecimal');
