import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { loadErrorMessage } from '@/api/errors'
import { Button } from '@/components/Button'
import { SectionCard } from '@/components/SectionCard'
import { Skeleton } from '@/components/Skeleton'
import { formatRelative } from '@/i18n/format'
import { storageDevices, type StorageDevice } from '../api'
import styles from './storage.module.css'

const EndDeviceDialog = lazy(() => import('./EndDeviceDialog'))

/** Computers on which somebody is signed in with the client. */
export function Devices() {
  const { t } = useTranslation('storage')
  const { data, error } = useQuery(storageDevices)
  const [leaving, setLeaving] = useState<StorageDevice | null>(null)
  return (
    <SectionCard title={t('devices.title')} remark={t('devices.sub')}>
      {error && !data ? (
        <p role="alert" className={styles.soft}>
          {loadErrorMessage(error)}
        </p>
      ) : null}
      {!error && !data ? <Skeleton label={t('devices.loading')} heights={[44]} /> : null}
      {data?.length === 0 ? <p className={styles.soft}>{t('devices.none')}</p> : null}
      <ul className={styles.devices}>
        {data?.map((device) => (
          <li key={device.id}>
            <span className={styles.device}>
              <bdi>{device.name}</bdi>
              <span className={styles.soft}>
                {t('devices.details', {
                  person: device.userName,
                  system: device.system,
                  version: device.version,
                  used: formatRelative(device.lastUsedAt),
                })}
              </span>
            </span>
            <Button variant="text" onClick={() => setLeaving(device)}>
              {t('devices.end')}
              <span className="t-hidden"> {device.name}</span>
            </Button>
          </li>
        ))}
      </ul>
      <Suspense fallback={null}>
        {leaving ? <EndDeviceDialog device={leaving} onClose={() => setLeaving(null)} /> : null}
      </Suspense>
    </SectionCard>
  )
}
