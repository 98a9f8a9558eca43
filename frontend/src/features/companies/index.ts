import { lazy } from 'react'

export { companyKeys, getPassphrase } from './api'
export { companySchema, toCompanyUpdate, type CompanyForm } from './company-form'
export { CompanyFields } from './CompanyFields'
export { NewPassphraseFields, passphraseProblem, type NewPassphrase } from './NewPassphraseFields'
export const PassphraseDialog = lazy(() => import('./PassphraseDialog'))
export { RecoveryKit } from './RecoveryKit'
