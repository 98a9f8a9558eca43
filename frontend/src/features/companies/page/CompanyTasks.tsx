import { CompanyDrawer } from './CompanyDrawer'
import type { CompanyTask } from './company-task'
import { DeleteCompanyDialog } from './DeleteCompanyDialog'
import { StatusDialog } from './StatusDialog'

type Props = { task: CompanyTask; onClose: () => void; onGone: (id: number) => void }

export default function CompanyTasks({ task: { kind, company }, onClose, onGone }: Props) {
  if (kind === 'detail') return <CompanyDrawer company={company} onClose={onClose} />
  if (kind === 'status') return <StatusDialog company={company} onClose={onClose} />
  return <DeleteCompanyDialog company={company} onClose={onClose} onGone={onGone} />
}
