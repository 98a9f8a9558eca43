import type { ListedCompany } from '../api'
import { CompanyDrawer } from './CompanyDrawer'
import { DeleteCompanyDialog } from './DeleteCompanyDialog'
import { StatusDialog } from './StatusDialog'

export type CompanyDialog = { kind: 'status' | 'delete' | 'detail'; company: ListedCompany }

type Props = { dialog: CompanyDialog; onClose: () => void; onGone: (id: number) => void }

export default function CompanyDialogs({ dialog: { kind, company }, onClose, onGone }: Props) {
  if (kind === 'detail') return <CompanyDrawer company={company} onClose={onClose} />
  if (kind === 'status') return <StatusDialog company={company} onClose={onClose} />
  return <DeleteCompanyDialog company={company} onClose={onClose} onGone={onGone} />
}
