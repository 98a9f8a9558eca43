import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { PanelCard } from '@/components/PanelCard'
import { formatBytes } from '@/i18n/format'
import { storageOverview } from './api'

/** In the quick panel: this month's uploads, and whether files are at risk. */
export default function StorageSection({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('storage')
  const query = useQuery(storageOverview)
  const { usage, health } = query.data ?? {}
  const atRisk = (health?.notSafe ?? 0) + (health?.lost ?? 0)
  return (
    <PanelCard
      query={query}
      loading={t('loading')}
      height={64}
      page="/storage"
      open={t('quickPanel.open')}
      onClose={onClose}
    >
      {usage ? (
        <>
          <strong>
            {t('quickPanel.used', { used: formatBytes(usage.used + usage.reserved), quota: formatBytes(usage.quota) })}
          </strong>
          <p className="t-soft">{t('health.atRisk', { count: atRisk, number: atRisk })}</p>
        </>
      ) : null}
    </PanelCard>
  )
}
