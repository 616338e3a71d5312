import { defined } from '../../base/defined.ts';
import { ObkError } from '../../base/errors.ts';
import type { Conversation } from '../../standard/sca/state.ts';
import { isFinalSca } from '../../standard/xs2a/codes.ts';
import { checkBrowserUrl } from '../../standard/xs2a/links.ts';
import type { AuthenticationObject, ChallengeData } from '../../standard/xs2a/wire.ts';
import type { Target } from '../exchange/target.ts';
import { bankSays } from '../resources/bank-says.ts';

/** A method as a person knows it. */
export function methodName({ name, authenticationType }: AuthenticationObject): string {
  return name === undefined ? authenticationType : `${name} (${authenticationType})`;
}

/** Shows what the PSU needs to make the one-time password; the bank's text must be shown (guidelines 14.4). */
export function showChallenge({ ports }: Target, { challengeData, chosenScaMethod }: Conversation): void {
  const { notices } = ports;
  if (chosenScaMethod !== undefined) notices.say(`Confirm with ${methodName(chosenScaMethod)}.`);
  for (const line of challengeLines(challengeData ?? {})) notices.say(line);
}

/** A challenge in lines: the bank's words, the data for a card reader, where the picture is. */
export function challengeLines(challenge: NonNullable<Conversation['challengeData']>): string[] {
  const { additionalInformation, data, imageFile, imageLink } = challenge;
  // The data of a reader (start code, flicker code) are typed or shown line by line.
  const lines = [data ?? []].flat().flatMap((text) => text.split(/\r?\n/));
  return [
    ...(additionalInformation === undefined ? [] : [bankSays(additionalInformation)]),
    ...lines.filter((line) => line.trim() !== '').map((line) => `Challenge: ${line}`),
    ...(imageFile === undefined ? [] : [`Picture: ${imageFile}`]),
    ...(imageLink === undefined ? [] : [linkLine(imageLink)]),
  ];
}

/** The picture is looked at by the PSU; obk never fetches it. */
function linkLine(link: string): string {
  const checked = checkBrowserUrl(link);
  return checked.ok
    ? `Picture on the web: ${checked.url}`
    : `The bank names a picture by a link that should not be opened (${checked.why}): ${link}`;
}

/** The length and form required of the one-time password, as far as the bank said. */
export function otpForm(challenge: ChallengeData | undefined): {
  maxLength?: number;
  format?: 'characters' | 'integer';
} {
  const { otpMaxLength: length = 0, otpFormat = '' } = challenge ?? {};
  const format = (['characters', 'integer'] as const).find((known) => known === otpFormat.toLowerCase());
  return {
    ...(length > 0 ? { maxLength: length } : {}),
    ...defined({ format }),
  };
}

/**
 * Takes the picture of a challenge out of the conversation into a file of its own and keeps its path; takes away the file
 * of an earlier challenge, and every one when the authorisation is over.
 */
export async function keepPicture(
  target: Target,
  before: Conversation,
  after: Conversation,
): Promise<Conversation> {
  const { image, imageFile, ...rest } = after.challengeData ?? {};
  const earlier = before.challengeData?.imageFile;
  const over = after.scaStatus !== undefined && isFinalSca(after.scaStatus);
  const file = over ? undefined : image === undefined ? imageFile : await savePicture(target, image);
  for (const path of new Set([earlier, imageFile])) {
    if (path !== undefined && path !== file) await removePicture(target, path);
  }
  if (image === undefined && file === imageFile) return after;
  return { ...after, challengeData: { ...rest, ...defined({ imageFile: file }) } };
}

/** The conversation without its picture, for an authorisation that is over; saving it takes the file away. */
export function withoutPicture(conversation: Conversation): Conversation {
  const { imageFile, ...challengeData } = conversation.challengeData ?? {};
  return imageFile === undefined ? conversation : { ...conversation, challengeData };
}

/** The guidelines say 512 kB, and mean the picture or its base64. */
const mostBytes = 512 * 1024;
const base64 = /^[A-Za-z0-9+/_-]*={0,2}$/;
const kinds = [
  { suffix: 'png', magic: '89504e470d0a1a0a' },
  { suffix: 'jpg', magic: 'ffd8ff' },
  { suffix: 'gif', magic: '47494638' },
] as const;

async function savePicture({ ports }: Target, image: string): Promise<string | undefined> {
  const text = image.replace(/^data:image\/[a-z+.-]+;base64,/i, '').replace(/\s+/g, '');
  const bytes = base64.test(text) ? Buffer.from(text, 'base64') : Buffer.alloc(0);
  const start = bytes.subarray(0, 8).toString('hex');
  const kind = kinds.find(({ magic }) => start.startsWith(magic));
  if (kind === undefined || bytes.length > mostBytes) {
    const why = kind === undefined ? 'it is no picture (PNG)' : 'it is larger than 512 kB';
    ports.notices.warn(`The bank sent a picture that is not saved: ${why}.`);
    return undefined;
  }
  return ports.files.savePicture(bytes, kind.suffix);
}

/** A picture that stays behind is no reason to stop. */
async function removePicture({ ports }: Target, path: string): Promise<void> {
  await ports.files.removePicture(path).catch((error: unknown) => {
    if (!(error instanceof ObkError)) throw error;
    ports.notices.warn(error.title);
  });
}
