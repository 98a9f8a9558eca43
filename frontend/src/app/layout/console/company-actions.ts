import { lazy } from 'react'
import { CompanyIcon, KeyIcon } from '@/components/icons'
import type { FrameAction } from './frame-action'

/** What the company badge in the toolbar opens, in this order. */
export const companyActions: FrameAction[] = [
  {
    id: 'editCompany',
    labelKey: 'companyActions.edit',
    Icon: CompanyIcon,
    permission: 'company:edit',
    Dialog: lazy(() => import('@/features/companies/EditCompanyDialog')),
  },
  {
    id: 'passphrase',
    labelKey: 'companyActions.passphrase',
    Icon: KeyIcon,
    permission: 'passphrase:manage',
    Dialog: lazy(() => import('@/features/companies/PassphraseDialog')),
  },
]
