/** Why the company key was not sealed for somebody; nothing has changed. */
export class HandoverError extends Error {
  constructor(readonly code: 'wordsUnknown' | 'wordsDiffer' | 'passwordWrong' | 'noKey') {
    super(`The company key was not handed over: ${code}.`)
    this.name = 'HandoverError'
  }
}
