/** The choice of the attention probe's text when texts, opened runs and addresses change. */
import { describe, expect, it } from 'vitest';
import { parseOptionTable } from '../web/engine/options.ts';
import { ProbeChoice } from '../web/store/training/probe-choice.ts';
import type { ProbeChoiceOptions } from '../web/store/training/probe-choice.ts';
import { findSample } from '../web/store/text/texts.ts';

/** A choice on a fake page state with only the fields that probes depend on. */
function choiceOver(chosen: string | null, source = 'own', shown = 'the first line\nand more') {
  const state = { source, shown, readOnly: false, probe: '' };
  const shows: string[] = [];
  let givenUp = 0;
  let pending: readonly string[] = [];
  const table = parseOptionTable(
    '{"presets":["one"],"options":[{"name":"tokenizer","choices":["byte","char"],"presets":[1]}]}',
  );
  const session = {
    text: { isKnown: true },
    pending: () => pending,
    table,
    current: { recipe: { preset: 'one', changes: {} } },
  };
  const options = {
    state,
    session: () => session,
    show: (text: string) => {
      state.probe = text;
      shows.push(text);
    },
    onGivenUp: () => {
      givenUp += 1;
    },
  } as unknown as ProbeChoiceOptions;
  const choice = new ProbeChoice(chosen, options);
  return {
    ...{ choice, state, shows, session },
    givenUp: () => givenUp,
    learnsAnother: (other: boolean) => {
      pending = other ? ['text'] : [];
    },
  };
}

describe('the probe text', () => {
  it("is the beginning of the first line of the reader's own text, unless one was chosen", () => {
    const { choice, state, shows } = choiceOver(null);
    choice.follow(state);
    expect(shows).toEqual(['the first line']);
    const other = choiceOver('mine');
    other.choice.follow(other.state);
    expect(other.shows).toEqual([]);
    expect(other.choice.chosen).toBe('mine');
  });

  it('is the line with the longest repeated part among the first lines', () => {
    const song = '[Verse 1]\nOver the roofs of the town\nRun, run with the moon\nbye-bye\n';
    const names = 'Ada\nBarbara\nJo\n';
    for (const [text, probe] of [
      [song, 'Over the roofs of the'],
      [names, 'Barbara'],
    ] as const) {
      const { choice, state, shows } = choiceOver(null, 'own', text);
      choice.follow(state);
      expect(shows).toEqual([probe]);
    }
  });

  it('waits while it is not known whether the text is the one that the run learns', () => {
    const { choice, state, shows, session } = choiceOver(null);
    session.text.isKnown = false;
    choice.follow(state);
    expect(shows).toEqual([]);
    session.text.isKnown = true;
    choice.suit();
    expect(shows).toEqual(['the first line']);
  });

  it('cuts no word of a long line, where it has words', () => {
    for (const [line, probe] of [
      ['The dragon sat on the high hill', 'The dragon sat on the'],
      ['The dragon sat on a hill and sang', 'The dragon sat on a hill'],
      [
        '春眠不觉晓处处闻啼鸟夜来风雨声花落知多少春眠不觉晓',
        '春眠不觉晓处处闻啼鸟夜来风雨声花落知多少春眠不觉',
      ],
    ] as const) {
      const { choice, state, shows } = choiceOver(null, 'own', line);
      choice.follow(state);
      expect(shows).toEqual([probe]);
    }
  });

  it('leaves out the sign that bytes are shown as which are no text', () => {
    for (const [shown, probe] of [
      ['\ufffd\ufffdna\ufffdme', 'na'],
      ['\ufffd\n\ufffd', ''],
    ] as const) {
      const { choice, state, shows } = choiceOver(null, 'own', shown);
      choice.follow(state);
      expect(shows.at(-1) ?? '').toBe(probe);
    }
  });

  it('waits for the run that learns the text it suits', () => {
    const { choice, state, shows, learnsAnother } = choiceOver(null);
    learnsAnother(true);
    choice.follow(state);
    expect(shows).toEqual([]);
    learnsAnother(false);
    choice.suit();
    expect(shows).toEqual(['the first line']);
    choice.suit();
    expect(shows).toHaveLength(1);
  });

  it('stays as it was typed when the session changes, whatever its characters', () => {
    const { choice, state, shows, givenUp } = choiceOver(null, 'names', 'anna\nbob');
    choice.follow(state);
    choice.type('Zoë!');
    choice.suit();
    expect(shows.at(-1)).toBe('Zoë!');
    expect(choice.chosen).toBe('Zoë!');
    expect(givenUp()).toBe(0);
  });

  it('is given up for another sample text that has not all of its characters', () => {
    const { choice, state, shows, givenUp } = choiceOver('Zoë!', 'names', 'anna\nbob');
    choice.follow(state);
    expect(shows).toEqual([findSample('names')?.probe]);
    expect(choice.chosen).toBeNull();
    expect(givenUp()).toBe(1);
  });

  it('of an opened run goes with its text, and nothing that waited comes after it', () => {
    const { choice, state, shows, learnsAnother } = choiceOver(null);
    learnsAnother(true);
    choice.follow({ source: 'own', shown: 'a text that waits' });
    choice.take('the first line', state);
    expect(choice.chosen).toBeNull();
    learnsAnother(false);
    choice.suit();
    expect(shows).toEqual(['the first line']);
    choice.take('what the run looked at', state);
    expect(choice.chosen).toBe('what the run looked at');
  });

  it('of the address is shown, and without one that of the text', () => {
    const { choice, state, shows } = choiceOver(null);
    choice.choose('linked');
    expect(shows).toEqual(['linked']);
    choice.choose(null);
    expect(shows).toEqual(['linked', 'the first line']);
    expect(choice.chosen).toBeNull();
    expect(state.probe).toBe('the first line');
  });
});
