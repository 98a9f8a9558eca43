import type { TFunction } from 'i18next'
import type { RowAction } from '@/components/table/column'
import type { ListedCompany } from '../api'
import type { CompanyDialog } from './CompanyDialogs'

type Handlers = { onSelect: (company: ListedCompany) => void; onOpenDialog: (dialog: CompanyDialog) => void }

export function companyActions(t: TFunction<'companies'>, company: ListedCompany, handlers: Handlers): RowAction[] {
  const { onSelect, onOpenDialog } = handlers
  return [
    { id: 'members', label: t('actions.members'), sign: 'people', onSelect: () => onSelect(company) },
    {
      id: 'detail',
      label: t('actions.detail'),
      sign: 'detail',
      onSelect: () => onOpenDialog({ kind: 'detail', company }),
    },
    {
      id: 'delete',
      label: t('actions.delete'),
      sign: 'delete',
      destructive: true,
      onSelect: () => onOpenDialog({ kind: 'delete', company }),
    },
  ]
}
