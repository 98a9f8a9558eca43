import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { post, type Schemas } from '../api'
import { Failure } from '../Failure'
import { useCall } from '../use-call'

type Props = { service: Schemas['FolderList']['service'] }

/** Says so while the program that keeps the folders connected does not run. */
export function ServiceNotice({ service }: Props) {
  const { t } = useTranslation('client')
  const { run, isPending, error } = useCall()
  if (service === 'running') return null
  return (
    <section className="t-note t-grid" aria-label={t('folders.service.label')}>
      <p>{t(`folders.service.${service}`)}</p>
      <Failure text={error?.text} />
      {service === 'missing' ? (
        <div className="t-line">
          <Button
            variant="outlined"
            pending={isPending}
            onClick={() => void run(() => post('/connected-folders', { action: 'install' }))}
          >
            {t('folders.service.install')}
          </Button>
          <span className="t-soft">
            {t('folders.service.byCommand')} <code dir="ltr">tess service install</code>
          </span>
        </div>
      ) : (
        <p className="t-soft">
          {t('folders.service.see')} <code dir="ltr">tess service status</code>
        </p>
      )}
    </section>
  )
}
