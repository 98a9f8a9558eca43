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
