/** Why the company key was not sealed for somebody; nothing has changed. */
export class HandoverError extends Error {
  constructor(readonly code: 'wordsUnknown' | 'wordsDiffer' | 'passwordWrong' | 'noKey' | 'keysReset') {
    super(`The company key was not handed over: ${code}.`)
    this.name = 'HandoverError'
  }
}

/** The company key opens once the user has typed the words of whoever it comes from. */
export class SenderWordsNeededError extends Error {
  constructor(readonly sender: string) {
    super('The words of the sender have to be compared first.')
    this.name = 'SenderWordsNeededError'
  }
}
