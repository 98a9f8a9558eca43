import { useTranslation } from 'react-i18next'
import { withVerification } from '@/api/verification'
import { Button } from '@/components/Button'
import { toast } from '@/components/toast'
import { useToastMutation } from '@/hooks/use-toast-mutation'
import { publishHealthFile, warehouseKeys, type Warehouse } from '../api'

/** Only for a warehouse that is Connected: the credentials work, but the health file does not verify. */
export function RepublishButton({ warehouse: { id } }: { warehouse: Warehouse }) {
  const { t } = useTranslation('warehouses')
  const publish = useToastMutation(
    async () => {
      const { message, processing } = await withVerification(() => publishHealthFile(id))
      if (processing) toast.warning(message || t('toasts.processing'))
      else toast.success(message || t('toasts.republished'))
    },
    { failure: t('toasts.republishFailed'), refresh: [warehouseKeys.all] },
  )
  return (
    <Button variant="outlined" pending={publish.isPending} onClick={() => void publish.mutate()}>
      {t('republish')}
    </Button>
  )
}
