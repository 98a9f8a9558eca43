import DeleteOutlined from '@mui/icons-material/DeleteOutlined'
import GroupOutlined from '@mui/icons-material/GroupOutlined'
import InfoOutlined from '@mui/icons-material/InfoOutlined'
import type { TFunction } from 'i18next'
import type { RowAction } from '@/components/table/column'
import type { ListedCompany } from '../api/list-companies'
import type { CompanyTask } from './company-task'

type Handlers = { onSelect: (company: ListedCompany) => void; onTask: (task: CompanyTask) => void }

export function companyActions(t: TFunction<'companies'>, company: ListedCompany, handlers: Handlers): RowAction[] {
  const { onSelect, onTask } = handlers
  return [
    { id: 'members', label: t('actions.members'), Icon: GroupOutlined, onSelect: () => onSelect(company) },
    { id: 'detail', label: t('actions.detail'), Icon: InfoOutlined, onSelect: () => onTask({ kind: 'detail', company }) },
    {
      id: 'delete',
      label: t('actions.delete'),
      Icon: DeleteOutlined,
      destructive: true,
      onSelect: () => onTask({ kind: 'delete', company }),
    },
  ]
}
