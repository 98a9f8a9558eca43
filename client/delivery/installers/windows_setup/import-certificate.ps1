# Imports the certificate that signs for Windows, if there is one, and names the command that signs
# to the steps after this one. CERTIFICATE is a .pfx in base64.
$ErrorActionPreference = 'Stop'
if (-not $env:CERTIFICATE) {
    Write-Output 'There is no certificate: the files will not be signed, and say so.'
    exit 0
}
$file = Join-Path $env:RUNNER_TEMP 'certificate.pfx'
[IO.File]::WriteAllBytes($file, [Convert]::FromBase64String($env:CERTIFICATE))
$password = ConvertTo-SecureString $env:CERTIFICATE_PASSWORD -AsPlainText -Force
$certificate = Import-PfxCertificate -FilePath $file -CertStoreLocation Cert:\CurrentUser\My -Password $password
Remove-Item $file
$kits = Join-Path ${env:ProgramFiles(x86)} 'Windows Kits\10\bin\*\x64\signtool.exe'
$signtool = Get-ChildItem $kits | Sort-Object FullName | Select-Object -Last 1
Add-Content $env:GITHUB_PATH $signtool.DirectoryName
$sign = "signtool sign /sha1 $($certificate.Thumbprint) /fd sha256 /td sha256 /tr http://timestamp.digicert.com"
Add-Content $env:GITHUB_ENV "TESSERA_SIGN_COMMAND=$sign"
