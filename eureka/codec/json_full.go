package codec

import "github.com/eurekube/eurekube/eureka"

// appendJSONApplication appends {"name":…,"instance":[…]}; the list is a list
// whatever its length (field cases 1 and 2).
func appendJSONApplication(dst []byte, app *eureka.Application, appendInstance func([]byte, *eureka.Instance) []byte) []byte {
	dst = append(dst, `{"name":`...)
	dst = appendJSONString(dst, app.Name)
	dst = append(dst, `,"instance":[`...)
	for n, i := range app.Instances {
		if n > 0 {
			dst = append(dst, ',')
		}
		dst = appendInstance(dst, i)
	}
	return append(dst, `]}`...)
}

// appendJSONInstance appends the instance object of full JSON in upstream's
// order (protocol section 4.3): not every client's decoder can do with
// another.
func appendJSONInstance(dst []byte, i *eureka.Instance) []byte {
	dst = append(dst, '{')
	dst = appendJSONText(dst, `"instanceId":`, i.ID)
	dst = appendJSONNullable(dst, `"hostName":`, i.HostName)
	dst = appendJSONNullable(dst, `"app":`, i.App)
	dst = appendJSONNullable(dst, `"ipAddr":`, i.IPAddr)
	dst = appendJSONText(dst, `"sid":`, sid(i))
	dst = appendJSONText(dst, `"status":`, statusWord(i.Status))
	dst = appendJSONText(dst, `"overriddenStatus":`, statusWord(i.OverriddenStatus))
	dst = appendJSONPort(dst, `"port":`, i.Port)
	dst = appendJSONPort(dst, `"securePort":`, i.SecurePort)
	dst = appendJSONNumber(dst, `"countryId":`, int64(i.CountryID))
	dst = appendJSONDataCenterInfo(dst, i.DataCenterInfo, false)
	dst = appendJSONLease(dst, i.Lease)
	dst = append(dst, `"metadata":`...)
	dst = appendJSONMetadata(dst, i.Metadata, `{"@class":"`+emptyMapClass+`"}`)
	dst = append(dst, ',')
	dst = appendJSONText(dst, `"appGroupName":`, i.AppGroupName)
	dst = appendJSONText(dst, `"homePageUrl":`, i.HomePageURL)
	dst = appendJSONText(dst, `"statusPageUrl":`, i.StatusPageURL)
	dst = appendJSONText(dst, `"healthCheckUrl":`, i.HealthCheckURL)
	dst = appendJSONText(dst, `"secureHealthCheckUrl":`, i.SecureHealthCheckURL)
	dst = appendJSONText(dst, `"vipAddress":`, i.VIPAddress)
	dst = appendJSONText(dst, `"secureVipAddress":`, i.SecureVIPAddress)
	dst = appendJSONText(dst, `"isCoordinatingDiscoveryServer":`, boolWord(i.IsCoordinatingDiscoveryServer))
	dst = appendJSONQuotedNumber(dst, `"lastUpdatedTimestamp":`, i.LastUpdatedTimestamp)
	dst = appendJSONQuotedNumber(dst, `"lastDirtyTimestamp":`, i.LastDirtyTimestamp)
	dst = appendJSONText(dst, `"actionType":`, string(i.ActionType))
	dst = appendJSONText(dst, `"asgName":`, i.ASGName)
	return closeJSONObject(dst)
}

// appendJSONLease appends the lease. All its values are numbers.
func appendJSONLease(dst []byte, l eureka.Lease) []byte {
	dst = append(dst, `"leaseInfo":{`...)
	dst = appendJSONNumber(dst, `"renewalIntervalInSecs":`, int64(l.RenewalIntervalInSecs))
	dst = appendJSONNumber(dst, `"durationInSecs":`, int64(l.DurationInSecs))
	dst = appendJSONNumber(dst, `"registrationTimestamp":`, l.RegistrationTimestamp)
	dst = appendJSONNumber(dst, `"lastRenewalTimestamp":`, l.LastRenewalTimestamp)
	dst = appendJSONNumber(dst, `"evictionTimestamp":`, l.EvictionTimestamp)
	dst = appendJSONNumber(dst, `"serviceUpTimestamp":`, l.ServiceUpTimestamp)
	dst = closeJSONObject(dst)
	return append(dst, ',')
}
