import { lazy } from 'react'

export { companyKeys } from './api'
export { companySchema, toCompanyUpdate, type CompanyForm } from './company-form'
export { CompanyFields } from './CompanyFields'
export { HandoverError } from './handover/handover-error'
export { missingIn, nothingTyped } from './handover/typed'
export const WordsFields = lazy(async () => ({ default: (await import('./handover/WordsFields')).WordsFields }))
export { keyHolderQuery, memberPublicKeys } from './key-holder/api'
export { NewPassphraseFields, passphraseProblem, type NewPassphrase } from './NewPassphraseFields'
export const PassphraseDialog = lazy(() => import('./PassphraseDialog'))
export { RecoveryKit } from './RecoveryKit'

/** With the cryptography, which only somebody who hands a key over needs. */
export async function loadSealCompanyKeyFor() {
  return (await import('./handover/seal-company-key')).sealCompanyKeyFor
}
