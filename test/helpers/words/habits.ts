import type { Text } from './texts.ts';

/** A way of writing that makes a native reader read twice, and that a machine can find. */
export interface Habit {
  name: string;
  /** Matches within one sentence. */
  pattern: RegExp;
  instead: string;
  /** Sentences that have the habit. */
  found: readonly string[];
  /** Good English that is near to it. */
  fine: readonly string[];
  /** The number of sentences that still have it; it only shrinks. */
  left: number;
}

const things =
  'flags?|keys?|files?|headers?|functions?|settings?|profiles?|commands?|options?|values?|members?|rules?|lists?|tables?|rows?|' +
  'tests?|steps?|runs?|lines?|texts?|codes?|names?|errors?|descriptions?|pages?|fields?|address(?:es)?|paths?|' +
  'documents?|types?|numbers?|statuses|status|links?|parameters?|operations?|frameworks?|it|that|which|this|these';

export const habits: readonly Habit[] = [
  {
    name: 'alone for only',
    pattern: /(?<!\b(?:let|leaves?|left|stands?|used?|works?|run|runs) (?:it |them )?)\balone\b/i,
    instead: 'only, before the word that it limits',
    found: ['The rows of a person alone are shown.', 'It has warnings alone.'],
    fine: ['The file stands alone.', 'Leave it alone.', 'Only the rows of a person are shown.'],
    left: 236,
  },
  {
    name: 'so many for a number',
    pattern: /\b(?<!\b(?:is|are|was|were|with|of) )so (?:many|few)\b(?!.*\bthat\b)/i,
    instead: 'at most N, the number of',
    found: ['show so many payments', 'so many at once'],
    fine: ['show at most N payments', 'So many fail that the check ends.'],
    left: 74,
  },
  {
    name: 'is no, is none',
    pattern:
      /(?<!\bthere |\bwhere )\b(?:is|are|was|were) (?:no(?! (?:longer|more|less|later|earlier)\b)|none)\b/i,
    instead: 'is not a, is not part of, does not',
    found: ['It is no id.', 'X is none of the interface.', 'A page that is no next one'],
    fine: ['There is no profile X.', 'If there is none, a file is made.', 'The consent is no longer valid.'],
    left: 268,
  },
  {
    name: 'told',
    pattern: /\b(?:told|untold)\b/i,
    instead: 'reported, shown, passed to',
    found: ['What is wrong is told with its line.', '`may` is told and fails nothing'],
    fine: ['Errors are reported with their line.'],
    left: 223,
  },
  {
    name: 'a thing that says, tells, wants, knows',
    pattern: new RegExp(
      String.raw`\b(?:${things}) (?:says|tells|wants|knows|say|tell|want|know)\b(?! what you)`,
      'i',
    ),
    instead: 'the verb of the field: states, reports, requires, accepts, contains, returns',
    found: ['a header wants a value', 'The file says two things.', 'what the description says'],
    fine: ['The bank says: no.', 'The PSU knows the code.', 'The header requires a value.'],
    left: 342,
  },
  {
    name: 'a thing that is said',
    pattern: /\b(?:is|are|was|were|be) said\b/i,
    instead: 'name the flag or the place: pass --framework',
    found: ['Banks of 1.3.8 are said by --framework.'],
    fine: ['For banks on 1.3.8, pass --framework.'],
    left: 48,
  },
  {
    name: 'a clause in place of a noun',
    pattern: /^(?:What|Who|Whoever|Whatever|Whichever)\b(?=[^?]*$)(?:\S*\s+){4,}/,
    instead: 'name the thing',
    found: [
      'What takes away from a verdict stands above it.',
      'Who sends many that are refused fills no terminal.',
      'What is asked of a bank.',
    ],
    fine: ['What was sent', 'What was sent to the bank and when?', 'Only what was asked is sent.'],
    left: 752,
  },
  {
    name: 'another name for the built-in bank',
    pattern: /\b(?:banks? inside|own bank|test bank)\b/i,
    instead: 'the built-in bank',
    found: ['The bank inside begins anew.', 'our own bank'],
    fine: ['The built-in bank was reset.'],
    left: 293,
  },
  {
    name: 'anew',
    pattern: /\banew\b/i,
    instead: 'again, from the start, was reset',
    found: ['The ledger begins anew.'],
    fine: ['The ledger was reset.'],
    left: 81,
  },
  {
    name: 'a bound that goes from N on',
    pattern: /\b(?:goes|go) from \S+ (?:on|to)\b|\b(?:is|are) the (?:most|least)(?=[.;]|$)/i,
    instead: 'must be N or more; the maximum is N',
    found: ['It goes from 0 on.', '140 are the most.'],
    fine: ['--rate must be 0 or more.', 'The maximum is 140.'],
    left: 2,
  },
  {
    name: 'shall, strange',
    pattern: /^Shall\b|\bstrange\b/i,
    instead: 'a question of two words; unknown, unsupported',
    found: ['Shall it be used more than once?', 'a strange consent'],
    fine: ['Recurring access (more than one read)?', 'an unknown consent'],
    left: 11,
  },
  {
    name: 'a thing that stands somewhere',
    pattern:
      /\bst(?:ands?|ood) (?:in|there|here|beside|behind|below|above|before|after|at|on|with|by|for|as|where|first|last|twice|once)\b/i,
    instead: 'is, is in, is listed in',
    found: ['The figures stand in the file.', 'it stands above the verdict'],
    fine: ['The figures are in the file.', 'The stand-in answers.'],
    left: 392,
  },
];

/** A text as its sentences; an abbreviation with a lower-case letter after it ends none. */
export const sentencesOf = (text: string): string[] => text.split(/(?<=[.;:!?])\s+(?=["'`(]?[A-Z`])/);

/** The sentences of texts that have a habit. */
export function* withHabit(texts: readonly Text[], { pattern }: Habit): Generator<Text> {
  for (const text of texts)
    for (const sentence of sentencesOf(text.text))
      if (pattern.test(sentence)) yield { ...text, text: sentence };
}
