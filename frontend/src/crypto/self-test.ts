import { fromBase64url } from './bytes'
import type { DerivedKeys } from './derive-here'
import { openCompanyKey, openSealedPassphrase, openUserKey } from './envelopes'
import { DerivationUnavailableError, EnvelopeError, SelfTestError } from './errors'
import { importKey } from './jwe'

/** One known answer of every step, the first of docs/vectors/crypto-v1.json. */
export const knownAnswer = {
  password: 'correct horse battery staple',
  salt: 'AAECAwQFBgcICQoLDA0ODw',
  auth: 'a1.BnBMVO6srn2OfzkIzaZdWdDewx354ANqYyZU1r-V-sI',
  wrapKey: 'JrZRGgaHNmzsExMAzZbR3XwPU4Fotoj-mgb9BmZJoGs',
  ids: {
    uid: '11111111-1111-4111-8111-111111111111',
    cid: '22222222-2222-4222-8222-222222222222',
  },
  passphrase: 'Straße zum 7. Mosaik',
  userKey:
    'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIiwidHlwIjoidGVzc2VyYS11aysxIiwia2RmIjoxLCJz' +
    'bHQiOiJBQUVDQXdRRkJnY0lDUW9MREEwT0R3IiwidWlkIjoiMTExMTExMTEtMTExMS00MTExLTgxMTEt' +
    'MTExMTExMTExMTExIiwiY2lkIjoiMjIyMjIyMjItMjIyMi00MjIyLTgyMjItMjIyMjIyMjIyMjIyIn0.' +
    '.AQEBAQEBAQEBAQEB.358W4mgkauymfX6pnERs85tAMoazcJObgdYxB2w1LgOzfGWdHonwnfe5Ph6Na_' +
    'VR4E9tVQ7wkS7w97_5BIywQ0KFiMQ5VEGPDt_VAP_RPzKA5Y64mZ_i1t5WCu4AkWMikIczI3yujQxGFQ' +
    'Tn4xdME5T8z9f0Q1YMgUBsnV1nw8ssWmc8sGKbPQa9KMWO.lyvhISAqikc1HgCIg6i9ZA',
  companyKey:
    'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIiwidHlwIjoidGVzc2VyYS1jaysxIiwidWlkIjoiMTEx' +
    'MTExMTEtMTExMS00MTExLTgxMTEtMTExMTExMTExMTExIiwiY2lkIjoiMjIyMjIyMjItMjIyMi00MjIy' +
    'LTgyMjItMjIyMjIyMjIyMjIyIiwiZXAiOjF9..AgICAgICAgICAgIC.LU93-GhJrdmsBuhANooDy7sFK' +
    'f73TaG-IM7jiF-wzfM.LxumtGc0zvqN4THBR3_dAA',
  sealedPassphrase:
    'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIiwidHlwIjoidGVzc2VyYS1wcCsxIiwiY2lkIjoiMjIy' +
    'MjIyMjItMjIyMi00MjIyLTgyMjItMjIyMjIyMjIyMjIyIiwiZXAiOjF9..AwMDAwMDAwMDAwMD.li1TP' +
    'pl-A9vVzDQ9RVkVIPnB4bwh45SCrbX1Qq05qgn16jPiWGPpL0bdzR_y3rDsWf7HM1wSjxVHqZgrvmVgX' +
    'wl0HOWGg86L1YWyZnnApHmj5OEEW1rYrKQb3M-6S39z-JyVoW-pOQxop3uOzzH-hTDhU9vCebjm15XpD' +
    'c-ZUL0KnB3xPkgnj7fzzFQOf41PAnhBZaSYeaSRoOnsBit57pT0Alrj87KgNCsih45oSrE3CVftOPjVj' +
    '5KjduUGlYVzbBqERNAGSSE31zAvFNJnYleokE4PCgg9zNp994yfNL02fDRC2UKQlB5aCM3hpB0_5AClU' +
    'dCWJlk734ImOAwgNmmRwI111TsB4hqyzCHj7DzF7zPMESjh80WaCt_RLmFgku-qPMt5-zj95aihZJS1q' +
    'YqUtL1jGTWz4HSsrz4Ez5dGxnPz1C8qtmWm_W8fW00R9mbmI064uqFBY0xgX4jxg6HmrIeCkQy2ZQjGT' +
    'k-HUyYQcmxt98_z1fJzhSwhaM8dfBPs1WTsZ67J-WXEKTVWanTUXki63xVKVNeO3l2pPRmGYu3V1wvJz' +
    'Fn0XX35djuwFNaZTrjgXOjtGWFj_6CZ4Zh96dyj8BoDsbsw00a1NX2nLNcqKikHc4Ktqj5GIAbwVOVSG' +
    '53KWxEyYa3kJl1-QaDwtcZpcB3pKgdUoFFsNpM.eGskjI2RdpIud4QNDWA_pw',
}

let result: Promise<void> | null = null

/**
 * Opens known envelopes with known keys, once a page; a few milliseconds. Rejects with a
 * `SelfTestError`, and then nobody may sign in or seal anything here.
 */
export function cryptoSelfTest(): Promise<void> {
  result ??= testEnvelopes()
  return result
}

/** The slow half, with the real parameters, through the same worker as a real derivation. */
export async function derivationSelfTest(
  derive: (password: string, salt: string) => Promise<DerivedKeys>,
): Promise<void> {
  const { password, salt, auth, userKey, ids } = knownAnswer
  try {
    const derived = await derive(password, salt)
    if (derived.auth !== auth) throw new SelfTestError('login secret')
    await openUserKey(userKey, derived.wrapKey, ids, salt)
  } catch (error) {
    if (error instanceof EnvelopeError) throw new SelfTestError('wrap key')
    if (error instanceof SelfTestError) throw error
    throw new DerivationUnavailableError()
  }
}

async function testEnvelopes(): Promise<void> {
  const opened = await openAll(knownAnswer.sealedPassphrase).catch(() => null)
  if (opened !== knownAnswer.passphrase) throw new SelfTestError('envelopes')
  // A cipher that does not check its tag would pass the first half.
  const tampered = knownAnswer.sealedPassphrase.replace(/\.(.)([^.]*)$/, (_, first, rest) =>
    first === 'A' ? `.B${rest}` : `.A${rest}`,
  )
  const refused = await openAll(tampered).then(
    () => false,
    (error: unknown) => error instanceof EnvelopeError && error.code === 'cannotOpen',
  )
  if (!refused) throw new SelfTestError('tampering')
}

async function openAll(sealedPassphrase: string): Promise<string> {
  const { wrapKey, userKey, companyKey, ids, salt } = knownAnswer
  const wrap = await importKey(fromBase64url(wrapKey) ?? new Uint8Array())
  const user = await openUserKey(userKey, wrap, ids, salt)
  const company = await openCompanyKey(companyKey, user, ids)
  return openSealedPassphrase(sealedPassphrase, company.companyKey, ids.cid, company.epoch)
}
