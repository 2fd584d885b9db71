//! Spans as OTLP in JSON, one export on each line, as the file exporter of OpenTelemetry's collector writes them.

use std::io::Write;

use opentelemetry::trace::TracerProvider;
use opentelemetry_proto::tonic::trace::v1::TracesData;
use opentelemetry_proto::transform::common::tonic::ResourceAttributesWithSchema;
use opentelemetry_proto::transform::trace::tonic::group_spans_by_resource_and_scope;
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::{OTelSdkError, OTelSdkResult};
use opentelemetry_sdk::trace::{SdkTracer, SdkTracerProvider, SpanData, SpanExporter};
use tracing_opentelemetry::OpenTelemetryLayer;
use tracing_subscriber::Registry;

/// What makes OpenTelemetry's spans of those of `tracing`, and what is to be shut down in the end.
pub fn layer() -> (OpenTelemetryLayer<Registry, SdkTracer>, SdkTracerProvider) {
    let resource = Resource::builder().with_service_name("server").build();
    let provider = SdkTracerProvider::builder()
        .with_resource(resource)
        .with_simple_exporter(Lines::default())
        .build();
    let layer = tracing_opentelemetry::layer().with_tracer(provider.tracer("server"));
    (layer, provider)
}

#[derive(Debug, Default)]
struct Lines {
    resource: ResourceAttributesWithSchema,
}

impl SpanExporter for Lines {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        let resource_spans = group_spans_by_resource_and_scope(batch, &self.resource);
        let line = serde_json::to_string(&TracesData { resource_spans })
            .map_err(|error| OTelSdkError::InternalFailure(error.to_string()))?;
        writeln!(std::io::stdout().lock(), "{line}")
            .map_err(|error| OTelSdkError::InternalFailure(error.to_string()))
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.resource = resource.into();
    }
}
