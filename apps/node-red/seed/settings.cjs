// Node-RED as it comes, but for what would reach out of this machine or differ from run to run.
module.exports = {
  uiHost: '127.0.0.1',
  flowFile: 'flows.json',
  flowFilePretty: true,
  credentialSecret: false,
  telemetry: { enabled: false, updateNotification: false },
  externalModules: {
    autoInstall: false,
    palette: { allowInstall: false, allowUpload: false },
    modules: { allowInstall: false },
  },
  editorTheme: { tours: false, palette: { catalogues: [] }, projects: { enabled: false } },
  logging: { console: { level: 'warn' } },
};
