/** The letters that SEPA has for characters outside the set that every bank takes. Source: EPC217-08, conversion table. */

// Each word: what is written, and the characters that become it. A small letter that the table gives another base than its
// capital (ĥ, ħ, þ, я) has that of its capital here.
const table = `
  A ÀÁÂÃÄÅÆĀĂĄΆΑАЪ  B ÞБ  C ÇĆĈĊČ  D ĎĐΔД  E ÈÉÊËĒĔĖĘĚΈΕЕ€  F ΦФ  G ĜĞĠĢΓГ  H ĤĦХ  I ÌÍÎÏĨĪĬĮİĲΉΊΗΙΪИ  J Ĵ  K ĶΚК
  L ĹĻĽĿŁΛЛ  M ΜМ  N ÑŃŅŇΝН  O ÒÓÔÕÖØŐŒΌΏΟΩО  P ΠП  R ŔŖŘΡР  S ŚŜŞŠȘΣС  T ŢŤŦȚΤТ  U ÙÚÛÜŨŪŬŮŰŲУ  V ΒВ  W Ŵ  X Ξ
  Y ÝŶŸΎΥΫЙЬ  Z ŹŻŽΖЗ  TH Θ  CH ΧЧ  PS Ψ  ZH Ж  TS Ц  SH Ш  SHT Щ  YU Ю  YA Я
  a àáâãäåæāăąάαаъ  b þб  c çćĉċč  d ďđδд  e èéêëēĕėęěέεе  f φф  g ĝğġģγг  h ĥħх  i ìíîïĩīĭįıĳήίΐηιϊи  j ĵ  k ķκк
  l ĺļľŀłλл  m μм  n ñńņňνн  o òóôõöøőœόώοωо  p πп  r ŕŗřρр  s ßśŝşšșσςс  t ţťŧțτт  u ùúûüũūŭůűųу  v βв  w ŵ  x ξ
  y ýÿŷύυϋΰйь  z źżžζз  th θ  ch χч  ps ψ  zh ж  ts ц  sh ш  sht щ  yu ю  ya я
  ( [{  ) ]}  / \\|  - _~‐‑‒–—―−  ' \`´‘’‚‛ʼ  + &  , ;  ? ¿`;

const letters = new Map<string, string>();
for (const [, letter = '', characters = ''] of table.matchAll(/(\S+) (\S+)(?:\s|$)/g))
  for (const character of characters) letters.set(character, letter);

const foreign = /[^a-zA-Z0-9/\-?:().,'+ ]/gu;

/**
 * Writes a text with the characters that every bank takes: letters by the table, a letter with an accent that the table does
 * not have by its base, a blank of any kind as a blank, all else as a full stop.
 */
export function transliterate(text: string): string {
  return text.normalize('NFC').replace(foreign, (character) => {
    const known = letters.get(character);
    if (known !== undefined) return known;
    if (/\p{Zs}/u.test(character)) return ' ';
    // A line break stays, to be refused where it is not allowed.
    if (/\p{Cc}/u.test(character)) return character;
    const base = character.normalize('NFKD').replace(/\p{M}/gu, '');
    return /^[a-zA-Z0-9]+$/.test(base) ? base : '.';
  });
}
