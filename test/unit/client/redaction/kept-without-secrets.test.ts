import { expect, it } from 'vitest';
import { keptWithoutSecrets } from '../../../../src/client/redaction/kept-without-secrets.ts';
import type { Conversation } from '../../../../src/standard/sca/state.ts';
import { Secret } from '../../../../src/base/secret.ts';
import { memoryStore } from '../../../helpers/fakes/index.ts';
import { atOtp, one } from '../payer.ts';

const password = new Secret('k3pt-word/91+x').reveal();
const code = new Secret('480071').reveal();
const hex = Buffer.from(password).toString('hex');

it('a link, a method and a message are kept without the secrets that the bank repeats in them', async () => {
  const store = memoryStore();
  const conversation: Conversation = {
    ...atOtp(),
    psuMessage: `you said ${password} and ${code}`,
    unknownLinks: [hex],
    steering: { scaStatus: `${one}/x?a=${password}` },
    challengeData: { otpMaxLength: 6, additionalInformation: hex },
    sent: [{ entry: 'otp', mark: 'a mark' }],
  };
  await keptWithoutSecrets(store.resources).saveConversation('bank', conversation);
  const { id } = conversation.parent;
  expect(await store.resources.conversations('bank', 'payment', id)).toEqual([
    {
      ...conversation,
      psuMessage: 'you said [secret] and [secret]',
      unknownLinks: ['[secret]'],
      steering: { scaStatus: `${one}/x?a=[secret]` },
      challengeData: { otpMaxLength: 6, additionalInformation: '[secret]' },
    },
  ]);
  // What led the run itself was not touched.
  expect(conversation.psuMessage).toContain(password);
});
