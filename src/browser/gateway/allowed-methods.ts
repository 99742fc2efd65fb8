/**
 * The commands that a client may send, by domain of the Chrome DevTools Protocol, and in brackets their parameters: those that
 * Playwright, Puppeteer, Stagehand and every tool server of ours can send, and, since clients written by hand need them, those
 * that only read the page, act as a user could, switch one of these off, or are an older name of one. Before adding a command
 * or parameter, check what it can do to the judge, to other windows of the browser and to this machine, and whether its effect
 * ends with the client: that of fonts does not, so `fontFamilies`, which Playwright needs, is passed on empty.
 */
const BY_DOMAIN: Readonly<Record<string, string>> = {
  Accessibility: `disable enable getAXNodeAndAncestors(nodeId backendNodeId objectId) getChildAXNodes(id frameId)
    getFullAXTree(depth frameId) getPartialAXTree(nodeId backendNodeId objectId fetchRelatives) getRootAXNode(frameId)
    queryAXTree(nodeId backendNodeId objectId accessibleName role)`,
  Animation: 'disable enable getPlaybackRate setPlaybackRate(playbackRate)',
  Audits: 'disable enable',
  Autofill: 'disable enable setAddresses(addresses) trigger(fieldId frameId card address)',
  Browser: `cancelDownload(guid browserContextId) getVersion getWindowBounds(windowId) getWindowForTarget(targetId)
    grantPermissions(permissions origin browserContextId) resetPermissions(browserContextId) setContentsSize(windowId
    width height) setDownloadBehavior(behavior browserContextId eventsEnabled) setPermission(permission setting origin
    browserContextId) setWindowBounds(windowId bounds)`,
  CSS: `disable enable getComputedStyleForNode(nodeId) getInlineStylesForNode(nodeId) getMatchedStylesForNode(nodeId)
    getStyleSheetText(styleSheetId) startRuleUsageTracking stopRuleUsageTracking takeCoverageDelta`,
  Console: 'disable enable',
  DOM: `describeNode(nodeId backendNodeId objectId depth pierce) disable discardSearchResults(searchId)
    enable(includeWhitespace) focus(nodeId backendNodeId objectId) getAttributes(nodeId) getBoxModel(nodeId backendNodeId
    objectId) getContentQuads(nodeId backendNodeId objectId) getDocument(depth pierce) getFlattenedDocument(depth pierce)
    getFrameOwner(frameId) getNodeForLocation(x y includeUserAgentShadowDOM ignorePointerEventsNone) getOuterHTML(nodeId
    backendNodeId objectId includeShadowDOM) getSearchResults(searchId fromIndex toIndex) getTopLayerElements performSearch(query
    includeUserAgentShadowDOM) pushNodeByPathToFrontend(path) pushNodesByBackendIdsToFrontend(backendNodeIds)
    querySelector(nodeId selector) querySelectorAll(nodeId selector) requestChildNodes(nodeId depth pierce)
    requestNode(objectId) resolveNode(nodeId backendNodeId objectGroup executionContextId) scrollIntoViewIfNeeded(nodeId
    backendNodeId objectId rect) setFileInputFiles(files nodeId backendNodeId objectId)`,
  DOMDebugger: 'getEventListeners(objectId depth pierce)',
  DOMSnapshot: `captureSnapshot(computedStyles includePaintOrder includeDOMRects includeBlendedBackgroundColors
    includeTextColorOpacities) disable enable`,
  Debugger: `disable enable getScriptSource(scriptId) resume setAsyncCallStackDepth(maxDepth)
    setBlackboxExecutionContexts(uniqueIds) setBlackboxPatterns(patterns skipAnonymous) setPauseOnExceptions(state)
    setSkipAllPauses(skip)`,
  Emulation: `clearDeviceMetricsOverride clearGeolocationOverride clearIdleOverride setCPUThrottlingRate(rate)
    setDefaultBackgroundColorOverride(color) setDeviceMetricsOverride(width height deviceScaleFactor mobile scale
    screenWidth screenHeight positionX positionY dontSetVisibleSize screenOrientation viewport) setEmulatedMedia(media
    features) setEmulatedVisionDeficiency(type) setFocusEmulationEnabled(enabled) setGeolocationOverride(latitude
    longitude accuracy altitude altitudeAccuracy heading speed) setIdleOverride(isUserActive isScreenUnlocked)
    setLocaleOverride(locale) setScriptExecutionDisabled(value) setTimezoneOverride(timezoneId)
    setTouchEmulationEnabled(enabled maxTouchPoints) setUserAgentOverride(userAgent acceptLanguage platform
    userAgentMetadata)`,
  Fetch: `continueRequest(requestId method postData headers) continueWithAuth(requestId authChallengeResponse) disable
    enable(patterns handleAuthRequests) failRequest(requestId errorReason)`,
  HeapProfiler: `collectGarbage disable enable takeHeapSnapshot(reportProgress treatGlobalObjectsAsRoots
    captureNumericValue)`,
  IO: 'close(handle) read(handle offset size)',
  Input: `cancelDragging dispatchDragEvent(type x y data(items dragOperationsMask) modifiers) dispatchKeyEvent(type
    modifiers text unmodifiedText code key windowsVirtualKeyCode autoRepeat isKeypad location) dispatchMouseEvent(type x y
    modifiers button buttons clickCount force deltaX deltaY pointerType) dispatchTouchEvent(type touchPoints modifiers)
    imeSetComposition(text selectionStart selectionEnd replacementStart replacementEnd) insertText(text)
    setInterceptDrags(enabled) synthesizePinchGesture(x y scaleFactor relativeSpeed gestureSourceType)
    synthesizeScrollGesture(x y xDistance yDistance xOverscroll yOverscroll preventFling speed gestureSourceType)
    synthesizeTapGesture(x y duration tapCount gestureSourceType)`,
  Inspector: 'disable enable',
  Log: 'clear disable enable startViolationsReport(config) stopViolationsReport',
  Network: `clearBrowserCache clearBrowserCookies deleteCookies(name url domain path partitionKey) disable
    emulateNetworkConditions(offline latency downloadThroughput uploadThroughput connectionType packetLoss
    packetQueueLength packetReordering) emulateNetworkConditionsByRule(offline emulateOfflineServiceWorker
    matchedNetworkConditions) enable(maxTotalBufferSize maxResourceBufferSize maxPostDataSize) getAllCookies
    getCookies(urls) getRequestPostData(requestId) getResponseBody(requestId) loadNetworkResource(frameId url options)
    setAttachDebugStack(enabled) setBypassServiceWorker(bypass) setCacheDisabled(cacheDisabled) setCookie(name value url
    domain path secure httpOnly sameSite expires priority partitionKey) setCookies(cookies) setExtraHTTPHeaders(headers)
    setUserAgentOverride(userAgent acceptLanguage platform userAgentMetadata)`,
  Overlay: `disable enable hideHighlight highlightNode(highlightConfig nodeId backendNodeId objectId selector)
    highlightQuad(quad color outlineColor) highlightRect(x y width height color outlineColor)`,
  Page: `addScriptToEvaluateOnNewDocument(source worldName runImmediately) bringToFront captureScreenshot(format
    quality clip fromSurface captureBeyondViewport optimizeForSpeed) close createIsolatedWorld(frameId worldName
    grantUniveralAccess) disable enable getFrameTree getLayoutMetrics getNavigationHistory getResourceTree
    handleJavaScriptDialog(accept promptText) navigate(url referrer frameId referrerPolicy)
    navigateToHistoryEntry(entryId) printToPDF(landscape displayHeaderFooter printBackground scale paperWidth paperHeight
    marginTop marginBottom marginLeft marginRight pageRanges headerTemplate footerTemplate preferCSSPageSize transferMode
    generateTaggedPDF generateDocumentOutline) reload(ignoreCache scriptToEvaluateOnLoad loaderId)
    removeScriptToEvaluateOnNewDocument(identifier) screencastFrameAck(sessionId) setBypassCSP(enabled)
    setDownloadBehavior(behavior) setFontFamilies(fontFamilies()) setInterceptFileChooserDialog(enabled cancel)
    setLifecycleEventsEnabled(enabled) startScreencast(format quality maxWidth maxHeight everyNthFrame maxFramesInFlight)
    stopLoading stopScreencast`,
  Performance: 'disable enable(timeDomain) getMetrics',
  Profiler: `disable enable setSamplingInterval(interval) start startPreciseCoverage(callCount detailed
    allowTriggeredUpdates) stop stopPreciseCoverage takePreciseCoverage`,
  Runtime: `addBinding(name executionContextId executionContextName) awaitPromise(promiseObjectId returnByValue
    generatePreview) callFunctionOn(functionDeclaration objectId arguments silent returnByValue generatePreview
    userGesture awaitPromise executionContextId objectGroup throwOnSideEffect uniqueContextId serializationOptions)
    disable enable evaluate(expression objectGroup includeCommandLineAPI silent contextId returnByValue generatePreview
    userGesture awaitPromise throwOnSideEffect timeout disableBreaks replMode allowUnsafeEvalBlockedByCSP uniqueContextId
    serializationOptions) getHeapUsage getIsolateId getProperties(objectId ownProperties accessorPropertiesOnly
    generatePreview nonIndexedPropertiesOnly) globalLexicalScopeNames(executionContextId) queryObjects(prototypeObjectId
    objectGroup) releaseObject(objectId) releaseObjectGroup(objectGroup) removeBinding(name) runIfWaitingForDebugger`,
  Schema: 'getDomains',
  Security: 'disable enable setIgnoreCertificateErrors(ignore)',
  Storage: `clearCookies(browserContextId) getCookies(browserContextId) getStorageKey(frameId) setCookies(cookies
    browserContextId)`,
  Target: `activateTarget(targetId) attachToBrowserTarget attachToTarget(targetId flatten) closeTarget(targetId)
    createBrowserContext(disposeOnDetach) createTarget(url left top width height windowState browserContextId newWindow
    background) detachFromTarget(sessionId targetId) disposeBrowserContext(browserContextId) getBrowserContexts
    getDevToolsTarget(targetId) getTargetInfo(targetId) getTargets(filter) setAutoAttach(autoAttach waitForDebuggerOnStart
    flatten filter) setDiscoverTargets(discover filter)`,
  Tracing: `end getCategories start(categories options bufferUsageReportingInterval transferMode streamFormat
    streamCompression traceConfig(recordMode traceBufferSizeInKb enableSampling enableArgumentFilter includedCategories
    excludedCategories))`,
  WebMCP: 'cancelInvocation(invocationId) disable enable invokeTool(frameId toolName input)',
};

/** The parameters of a command, or the fields of one of them, by name; null where all fields are allowed. */
type Fields = ReadonlyMap<string, Fields | null>;

/** By method as a client names it (`Page.navigate`). */
const ALLOWED: ReadonlyMap<string, Fields> = new Map(
  Object.entries(BY_DOMAIN).flatMap(([domain, text]) =>
    [...fieldsIn(text)].map(([name, fields]) => [`${domain}.${name}`, fields ?? new Map()] as const),
  ),
);

export const ALLOWED_METHODS: ReadonlySet<string> = new Set(ALLOWED.keys());

/** Returns the parameters of a command that are passed on: those that are not on its list are left out. */
export function allowedParams(method: string, params: object): Record<string, unknown> {
  return onlyFields(params, ALLOWED.get(method) ?? new Map());
}

function onlyFields(value: object, fields: Fields): Record<string, unknown> {
  const kept = Object.entries(value).filter(([name]) => fields.has(name));
  return Object.fromEntries(
    kept.map(([name, each]: [string, unknown]) => {
      const inner = fields.get(name) ?? null;
      const isObject = typeof each === 'object' && each !== null && !Array.isArray(each);
      return [name, inner !== null && isObject ? onlyFields(each, inner) : each];
    }),
  );
}

/** Reads `name name(field field(field))`. */
function fieldsIn(text: string): Fields {
  const root = new Map<string, Fields | null>();
  const open = [root];
  let last = '';
  for (const [token] of text.matchAll(/[\w]+|[()]/g)) {
    const current = open.at(-1) ?? root;
    if (token === '(') {
      const inner = new Map<string, Fields | null>();
      current.set(last, inner);
      open.push(inner);
    } else if (token === ')') open.pop();
    else {
      current.set(token, null);
      last = token;
    }
  }
  return root;
}
