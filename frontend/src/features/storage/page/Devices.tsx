import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { loadErrorMessage } from '@/api/errors'
import { Button } from '@/components/Button'
import { SectionCard } from '@/components/SectionCard'
import { Skeleton } from '@/components/Skeleton'
import { formatRelative } from '@/i18n/format'
import { storageDevices, type StorageDevice } from '../api'

const EndDeviceDialog = lazy(() => import('./EndDeviceDialog'))

/** Computers on which somebody is signed in with the client. */
export function Devices() {
  const { t } = useTranslation('storage')
  const { data, error } = useQuery(storageDevices)
  const [leaving, setLeaving] = useState<StorageDevice | null>(null)
  return (
    <SectionCard title={t('devices.title')} remark={t('devices.sub')}>
      {error && !data ? (
        <p role="alert" className="t-soft">
          {loadErrorMessage(error)}
        </p>
      ) : null}
      {!error && !data ? <Skeleton label={t('devices.loading')} heights={[44]} /> : null}
      {data?.length === 0 ? <p className="t-soft">{t('devices.none')}</p> : null}
      <ul className="t-grid">
        {data?.map((device) => (
          <li key={device.id} className="t-ends">
            <div>
              <bdi>{device.name}</bdi>
              <p className="t-soft">
                {t('devices.details', {
                  person: device.userName,
                  system: device.system,
                  version: device.version,
                  used: formatRelative(device.lastUsedAt),
                })}
              </p>
            </div>
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
