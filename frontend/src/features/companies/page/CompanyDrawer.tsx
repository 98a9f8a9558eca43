import CloseOutlined from '@mui/icons-material/CloseOutlined'
import Drawer from '@mui/material/Drawer'
import IconButton from '@mui/material/IconButton'
import Skeleton from '@mui/material/Skeleton'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { loadErrorMessage } from '@/api/errors'
import { ErrorState } from '@/components/ErrorState'
import { companyDetail } from '../api/get-company-detail'
import type { ListedCompany } from '../api/list-companies'
import { CompanyFacts } from './CompanyFacts'
import styles from './drawer.module.css'

type Props = { company: ListedCompany; onClose: () => void }

export function CompanyDrawer({ company, onClose }: Props) {
  const { t } = useTranslation('companies')
  const titleId = useId()
  const detail = useQuery(companyDetail(company.id))
  return (
    <Drawer
      open
      anchor="right"
      onClose={onClose}
      slotProps={{
        paper: { role: 'dialog', 'aria-modal': true, 'aria-labelledby': titleId, sx: { width: 'min(440px, 100vw)' } },
      }}
    >
      <div className={styles.head}>
        <h2 id={titleId} className={styles.title}>
          <bdi>{company.name}</bdi>
        </h2>
        <IconButton onClick={onClose} aria-label={t('detail.close')}>
          <CloseOutlined />
        </IconButton>
      </div>
      {/* Nothing in it takes the focus, and a keyboard has to scroll it. */}
      <div className={styles.body} tabIndex={0} role="group" aria-labelledby={titleId}>
        {detail.isPending ? <Skeleton variant="rounded" height={360} aria-label={t('detail.loading')} /> : null}
        {detail.isError ? (
          <ErrorState heading="h3" text={loadErrorMessage(detail.error)} onRetry={() => void detail.refetch()} />
        ) : null}
        {detail.data ? <CompanyFacts company={detail.data} /> : null}
      </div>
    </Drawer>
  )
}
