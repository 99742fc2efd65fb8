/**
 * The commands that a client may send, by domain of the Chrome DevTools Protocol: those that Playwright, Puppeteer and Stagehand
 * can send, those that every tool server of ours was seen to send (the event `gateway` counts them), and, since clients
 * written by hand need them, those that only read the page, act as a user could, switch one of these off, or are an older
 * name of one. A new one needs a look at what it can do to the judge first.
 */
const BY_DOMAIN: Readonly<Record<string, string>> = {
  Accessibility:
    'disable enable getAXNodeAndAncestors getChildAXNodes getFullAXTree getPartialAXTree getRootAXNode queryAXTree',
  Animation: 'disable enable getPlaybackRate setPlaybackRate',
  Audits: 'disable enable',
  Autofill: 'disable enable setAddresses trigger',
  Browser: `cancelDownload getVersion getWindowBounds getWindowForTarget grantPermissions resetPermissions setContentsSize
    setDownloadBehavior setPermission setWindowBounds`,
  CSS: `disable enable getComputedStyleForNode getInlineStylesForNode getMatchedStylesForNode getStyleSheetText
    startRuleUsageTracking stopRuleUsageTracking takeCoverageDelta`,
  Console: 'disable enable',
  DOM: `describeNode disable discardSearchResults enable focus getAttributes getBoxModel getContentQuads getDocument
    getFlattenedDocument getFrameOwner getNodeForLocation getOuterHTML getSearchResults performSearch
    pushNodeByPathToFrontend pushNodesByBackendIdsToFrontend querySelector querySelectorAll requestChildNodes requestNode
    resolveNode scrollIntoViewIfNeeded setFileInputFiles`,
  DOMDebugger: 'getEventListeners',
  DOMSnapshot: 'captureSnapshot disable enable',
  Debugger: `disable enable getScriptSource resume setAsyncCallStackDepth setBlackboxExecutionContexts
    setBlackboxPatterns setPauseOnExceptions setSkipAllPauses`,
  Emulation: `clearDeviceMetricsOverride clearGeolocationOverride clearIdleOverride setCPUThrottlingRate
    setDefaultBackgroundColorOverride setDeviceMetricsOverride setEmulatedMedia setEmulatedVisionDeficiency
    setFocusEmulationEnabled setGeolocationOverride setIdleOverride setLocaleOverride setScriptExecutionDisabled
    setTimezoneOverride setTouchEmulationEnabled setUserAgentOverride setVisibleSize`,
  Fetch: 'continueRequest continueWithAuth disable enable failRequest',
  HeapProfiler: 'collectGarbage disable enable takeHeapSnapshot',
  IO: 'close read',
  Input: `cancelDragging dispatchDragEvent dispatchKeyEvent dispatchMouseEvent dispatchTouchEvent
    imeSetComposition insertText setInterceptDrags synthesizePinchGesture
    synthesizeScrollGesture synthesizeTapGesture`,
  Inspector: 'disable enable',
  Log: 'clear disable enable startViolationsReport stopViolationsReport',
  Network: `clearBrowserCache clearBrowserCookies deleteCookies disable emulateNetworkConditions
    emulateNetworkConditionsByRule enable getAllCookies getCookies getRequestPostData getResponseBody
    loadNetworkResource setAttachDebugStack setBypassServiceWorker setCacheDisabled setCookie
    setCookies setExtraHTTPHeaders setUserAgentOverride`,
  Overlay: 'disable enable hideHighlight highlightNode highlightQuad highlightRect',
  Page: `addScriptToEvaluateOnNewDocument bringToFront captureScreenshot close createIsolatedWorld disable enable
    getFrameTree getLayoutMetrics getNavigationHistory getResourceTree handleJavaScriptDialog navigate
    navigateToHistoryEntry printToPDF reload removeScriptToEvaluateOnNewDocument screencastFrameAck setBypassCSP
    setDownloadBehavior setFontFamilies setInterceptFileChooserDialog setLifecycleEventsEnabled startScreencast
    stopLoading stopScreencast`,
  Performance: 'disable enable getMetrics',
  Profiler: `disable enable setSamplingInterval start startPreciseCoverage stop stopPreciseCoverage
    takePreciseCoverage`,
  Runtime: `addBinding awaitPromise callFunctionOn disable enable evaluate getHeapUsage
    getIsolateId getProperties globalLexicalScopeNames queryObjects releaseObject releaseObjectGroup removeBinding
    runIfWaitingForDebugger`,
  Schema: 'getDomains',
  Security: 'disable enable setIgnoreCertificateErrors',
  Storage: 'clearCookies getCookies getStorageKey setCookies',
  Target: `activateTarget attachToBrowserTarget attachToTarget closeTarget createBrowserContext
    createTarget detachFromTarget disposeBrowserContext getBrowserContexts getDevToolsTarget getTargetInfo getTargets
    sendMessageToTarget setAutoAttach setDiscoverTargets`,
  Tracing: 'end getCategories start',
  WebMCP: 'cancelInvocation disable enable invokeTool',
};

/** Every one of them as a client names it: `Page.navigate`. */
export const ALLOWED_METHODS: ReadonlySet<string> = new Set(
  Object.entries(BY_DOMAIN).flatMap(([domain, names]) => names.split(/\s+/).map((name) => `${domain}.${name}`)),
);
