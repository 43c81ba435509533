//! Calls by their paths: go-plugin's own services and Terraform's provider service.

use std::convert::Infallible;
use std::future::{Future, ready};
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use hyper::body::Incoming;
use tokio_stream::{Stream, StreamExt as _};
use tonic::body::Body;
use tonic::server::StreamingService;
use tonic::{Request, Response, Status, Streaming};

use crate::messages::{Empty, Health, HealthRequest, SERVING};
use crate::rpc::{grpc, stream, unary, unimplemented};
use crate::service::Service;
use crate::stop::Stop;

type Answer = Result<hyper::Response<Body>, Infallible>;

/// Everything that is served on a connection.
#[derive(Clone, Debug)]
pub(crate) struct Router {
    pub(crate) service: Arc<Service>,
    pub(crate) stop: Stop,
}

impl Router {
    pub(crate) async fn answer(self, request: hyper::Request<Incoming>) -> Answer {
        let path = request.uri().path().to_owned();
        Ok(match path.as_str() {
            "/grpc.health.v1.Health/Check" => {
                unary(request, |asked: HealthRequest| ready(health(&asked))).await
            }
            "/grpc.health.v1.Health/Watch" => {
                let silence = || Silence::until(&self.stop);
                stream(request, |asked: HealthRequest| {
                    health(&asked).map(|health| tokio_stream::once(Ok(health)).chain(silence()))
                })
                .await
            }
            "/plugin.GRPCController/Shutdown" => {
                unary(request, |(): Empty| {
                    self.stop.request();
                    ready(Ok(()))
                })
                .await
            }
            // Nothing is sent here: a provider must not print to standard output, and the client reads its standard
            // error directly.
            "/plugin.GRPCStdio/StreamStdio" => {
                stream(request, |(): Empty| Ok(Silence::<Empty>::until(&self.stop))).await
            }
            // Brokers open further connections. Terraform's providers need none.
            "/plugin.GRPCBroker/StartStream" => {
                grpc::<Empty, Empty>().streaming(Broker(self.stop), request).await
            }
            path => match path.strip_prefix("/tfplugin6.Provider/") {
                Some(method) => crate::service::answer(self.service, method, request).await,
                None => unimplemented(path),
            },
        })
    }
}

/// A stream without messages, which ends when the server stops.
struct Silence<T>(Pin<Box<dyn Future<Output = ()> + Send>>, PhantomData<fn() -> T>);

impl<T> Silence<T> {
    fn until(stop: &Stop) -> Self {
        let stop = stop.clone();
        Self(Box::pin(async move { stop.requested().await }), PhantomData)
    }
}

impl<T> Stream for Silence<T> {
    type Item = Result<T, Status>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.as_mut().poll(context).map(|()| None)
    }
}

/// The health of a service. go-plugin asks for the one named `plugin`.
fn health(asked: &HealthRequest) -> Result<Health, Status> {
    match asked.service.as_str() {
        "" | "plugin" => Ok(Health { status: SERVING }),
        name => Err(Status::not_found(format!("there is no service named {name:?}"))),
    }
}

/// Keeps a stream in both directions open and ignores the client's messages.
struct Broker(Stop);

impl StreamingService<Empty> for Broker {
    type Response = Empty;
    type ResponseStream = Silence<Empty>;
    type Future = std::future::Ready<Result<Response<Self::ResponseStream>, Status>>;

    fn call(&mut self, _messages: Request<Streaming<Empty>>) -> Self::Future {
        ready(Ok(Response::new(Silence::until(&self.0))))
    }
}
