import { describe, expect, test } from 'vitest';
import { environmentWithFile, modelSetup } from '../../src/cli/model-setup.ts';
import { tempFiles } from '../task/temp-files.ts';

test('variables of .env are taken, and override none that is set', async () => {
  await using files = await tempFiles({ '.env': 'ANTHROPIC_API_KEY="from-file"\nOTHER=from-file\n' });
  const environment = environmentWithFile(files.path('.'), { OTHER: 'set', MORE: 'set' });
  expect(environment).toEqual({ ANTHROPIC_API_KEY: 'from-file', OTHER: 'set', MORE: 'set' });
});

test('without a .env there are those that are set', async () => {
  await using files = await tempFiles({ other: '' });
  expect(environmentWithFile(files.path('.'), { OTHER: 'set' })).toEqual({ OTHER: 'set' });
});

describe('models are set up', () => {
  test('only where an agent may be one', () => {
    expect(modelSetup(['null', 'reference', './mine.mjs'], {}, {})).toBeNull();
    expect(modelSetup(['null', 'claude-sonnet-4-6'], {}, {})).toMatchObject({ cassettes: null });
  });

  test('to replay from a folder, which must be there, or to record', async () => {
    await using files = await tempFiles({ other: '' });
    const folder = files.path('.');
    expect(modelSetup(['m'], { cassette: folder }, {})?.cassettes).toEqual({ do: 'replay', folder });
    expect(modelSetup(['m'], { recordCassette: 'new' }, {})?.cassettes).toEqual({ do: 'record', folder: 'new' });
    expect(() => modelSetup(['m'], { cassette: files.path('missing') }, {})).toThrow('there is no folder');
  });

  test('and neither where no model takes part', () => {
    expect(() => modelSetup(['null'], { cassette: 'a' }, {})).toThrow('are for models, but none takes part');
    expect(() => modelSetup(['null'], { recordCassette: 'a' }, {})).toThrow('are for models, but none takes part');
  });

  test('and not both at once', () => {
    expect(() => modelSetup(['m'], { cassette: 'a', recordCassette: 'b' }, {})).toThrow(
      '--cassette replays and --record-cassette records',
    );
  });
});
