/** The names by which a bank calls secrets and those who enter them. */
const things = wordsOf(
  'password passwort kennwort passphrase passcode secret token code user username login',
);
/** Its words for what is wrong with them. */
const verdicts = wordsOf(
  'wrong right correct incorrect invalid valid false true failed missing unknown empty none null error test',
);

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

/**
 * Whether a secret is a word that stands in the prose of banks anyway, as where a test bank has the password `password`, or where
 * somebody tries the wrong one `wrong`. Cut out of sentences, it would take the reason of a refusal away and hide nothing.
 */
export function isOrdinaryWord(secret: string): boolean {
  const plain = secret.toLowerCase();
  return things.has(plain) || verdicts.has(plain);
}

/** Replaces such a word where it is a value and no part of a sentence: the whole text, a value of JSON, XML or a form. */
export function replaceAsValue(text: string, word: string, shown: string): string {
  if (text.trim() === word) return text.replace(word, () => shown);
  const places = [
    // A text of JSON, or of JSON within it, that is not the name of a member.
    String.raw`(?<=[:[,=]\s*\\*["'])${word}(?=\\*["']\s*(?:[^\s:]|$))`,
    `(?<=>)${word}(?=<)`,
    String.raw`(?<==)${word}(?=[&#;,\s"']|$)`,
    // What is said of `password:` may be that it is wrong.
    ...(verdicts.has(word.toLowerCase())
      ? []
      : [String.raw`(?<=(?:[Pp]ass\w*|[Kk]ennwort|[Ss]ecret|[Tt]oken|[Cc]ode):\s?)${word}(?=[\s,;]|\.?$)`]),
  ];
  return text.replace(new RegExp(places.join('|'), 'g'), () => shown);
}
